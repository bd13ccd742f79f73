// SPDX-License-Identifier: MIT
#include <csignal>
#include <cstdio>
#include <exception>
#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include "cmd/command.hpp"
#include "cmd/console.hpp"
#include "cmd/exit_code.hpp"
#include "cmd/request/surroundings.hpp"
#include "cmd/wiring.hpp"
#include "core/base/shortage.hpp"
#include "core/process/end_process.hpp"
#include "core/process/guard.hpp"
#include "core/process/host_claim.hpp"
#include "core/process/login_variables.hpp"
#include "core/push/own_copy.hpp"
#include "core/relay/call_back.hpp"
#include "core/relay/relay.hpp"
#include "core/wire/callback_message.hpp"
#include "modex/server/singleton.hpp"

namespace launch {
namespace {

/// A descriptor that is closed when we start would become some file of ours, and a rank's stream.
/// Standard output is opened for reading only, so that writes to it fail and the loss is reported.
void open_standard_streams() {
    for (int fd = 0; fd < 3; ++fd) {
        const int access = fd == STDOUT_FILENO ? O_RDONLY : O_RDWR;
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", access) != fd) return;
    }
}

/// Sets what launch lives by, whatever its parent ignored or blocked: without SIGCHLD it never
/// learns that a process has ended, and a blocked SIGTERM ends nothing. A file that may not grow
/// (ulimit -f) is an error of the write. Ranks start with all signals at their defaults
/// (core/process/spawn.cpp).
void reset_inherited_signals() {
    signal(SIGCHLD, SIG_DFL);
    signal(SIGXFSZ, SIG_IGN);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// Starts a relay that calls its head. `file` holds the address of the head; where it is empty, the
/// address comes on standard input.
int start_called_relay(const std::string& file) {
    HostClaim claim;
    if (!file.empty()) claim = claim_on_host(call_claim(file));
    if (!claim.ours) return exit_code::success;
    if (!file.empty()) set_login_variables();
    const auto guard = Guard::split_process(Guard::Role::relay);
    return run_called_relay(factories(), guard, file);
}

/// Starts a relay. Two words may follow --relay: --call-back, and the folder that was made for an
/// executable that was pushed.
int start_relay(const std::vector<std::string>& words) {
    const bool calls = words.size() > 1 && words[1] == call_back_word;
    if (words.size() > 1 && !calls) remove_own_copy(words[1]);
    leave_enclosing_job();
    if (calls) return start_called_relay(words.size() > 2 ? words[2] : "");
    const auto guard = Guard::split_process(Guard::Role::relay);
    return run_relay(factories(), guard);
}

/// An MPI program that was started by hand takes us for its mpiexec.
int start_singleton(const std::vector<std::string>& words) {
    const auto around = look_around();
    if (!around) return fail(around.error());
    const auto served =
        serve_singleton({words.begin() + 1, words.end()}, around->job_id, log_wanted());
    return served ? exit_code::success : fail(served.error());
}

int start(const char* called_as, const std::vector<std::string>& words) {
    if (!words.empty() && words[0] == "--relay") return start_relay(words);
    if (!words.empty() && words[0] == "-pmi_args") return start_singleton(words);
    return run_words(called_as, words);
}

/// The last words, of a process that may have no memory for them.
[[noreturn]] void end_with_fault() {
    const char* kind = "internal fault: ";
    const char* what = "unexpected end";
    try {
        if (std::current_exception()) throw;
    } catch (const NoThread& refused) {
        kind = "";
        what = refused.what();
    } catch (const std::exception& fault) {
        what = fault.what();
    } catch (...) {
        what = "unknown exception";
    }
    dprintf(STDERR_FILENO, "launch: %s%s\n", kind, what);
    _exit(exit_code::internal);
}

}  // namespace
}  // namespace launch

int main(int argc, char** argv) {
    std::set_terminate(launch::end_with_fault);
    // Handshakes run in threads; an arena for each would double what a relay has of its own.
    mallopt(M_ARENA_MAX, 1);
    launch::open_standard_streams();
    launch::reset_inherited_signals();
    int code = launch::exit_code::internal;
    try {
        code = launch::start(argc > 0 ? argv[0] : "", {argv + (argc > 0 ? 1 : 0), argv + argc});
    } catch (const std::exception& fault) {  // no memory, above all
        launch::say(std::string("internal fault: ") + fault.what());
    }
    launch::end_process(code);
}
