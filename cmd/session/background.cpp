// SPDX-License-Identifier: MIT
#include "cmd/session/background.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/console.hpp"
#include "cmd/exit_code.hpp"
#include "core/base/shortage.hpp"

namespace launch {
namespace {

sigset_t passed_signals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
        sigaddset(&set, number);
    return set;
}

constexpr mode_t readable_by_all = 0666;  // less the umask

std::string number_text(JobNumber job) {
    return std::to_string(static_cast<uint32_t>(job));
}

}  // namespace

Result<Background> Background::split(Alone alone) {
    const pid_t starter = getpid();
    auto [reader, writer] = make_pipe();
    if (!reader) return os_error("make a pipe", errno);
    const pid_t child = fork();
    if (child < 0) {
        Error error;
        error.operation = "start a process";
        error.cause = no_process_text(errno);
        return error;
    }
    if (child == 0) {
        setsid();
        if (alone == Alone::ends) prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != starter) _exit(exit_code::signal_base + SIGTERM);
        return Background(0, std::move(writer));
    }
    return Background(child, std::move(reader));
}

bool Background::ready(const std::string& text) {
    const ssize_t written = write(pipe_.get(), text.data(), text.size());
    if (written < 0) return false;
    const UniqueFd null(open("/dev/null", O_RDWR | O_CLOEXEC));
    for (int fd = 0; fd < 3; ++fd)
        dup2(null.get(), fd);
    pipe_.reset();
    return true;
}

std::optional<std::string> Background::wait() {
    const sigset_t passed = passed_signals();
    sigset_t before;
    sigprocmask(SIG_BLOCK, &passed, &before);
    const UniqueFd signals(signalfd(-1, &passed, SFD_CLOEXEC));
    const std::string text = read_passing_signals(signals.get());
    sigprocmask(SIG_SETMASK, &before, nullptr);
    if (!text.empty()) return text;
    exit_code_ = exit_code_of_child(child_);
    return std::nullopt;
}

/// Returns what the background process writes until it closes the pipe.
std::string Background::read_passing_signals(int signals) const {
    std::string text;
    std::array<char, 256> buffer{};
    std::array<pollfd, 2> both{{{pipe_.get(), POLLIN, 0}, {signals, POLLIN, 0}}};
    for (;;) {
        if (poll(both.data(), both.size(), -1) < 0 && errno != EINTR) return {};
        signalfd_siginfo info{};
        if ((both[1].revents & POLLIN) != 0 && read(signals, &info, sizeof info) == sizeof info)
            kill(child_, static_cast<int>(info.ssi_signo));
        if (both[0].revents == 0) continue;
        const ssize_t n = read(pipe_.get(), buffer.data(), buffer.size());
        if (n <= 0) return text;
        text.append(buffer.data(), static_cast<size_t>(n));
    }
}

void Background::stop() {
    kill(child_, SIGTERM);
    exit_code_ = exit_code_of_child(child_);
}

int exit_code_of_child(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return exit_code_of(ExitStatus::from_wait(status));
}

Result<DetachedRun> DetachedRun::begin(const SessionPlace& place, const std::string& session,
                                       JobNumber job) {
    auto client = SessionClient::connect(place, session);
    if (!client) return client.error();
    DetachedRun run(*std::move(client), job);
    auto made = run.make_file();
    if (!made) return std::move(made.error());
    auto told = run.session_.ask(DetachRequest{job, run.path_});
    if (told) return run;
    unlink(run.path_.c_str());
    return std::move(told.error());
}

/// Another session of that name may have left one of the same name.
Status DetachedRun::make_file() {
    std::error_code fault;
    const std::filesystem::path folder = std::filesystem::current_path(fault);
    if (fault) return os_error("find the working directory", fault.value());
    const std::string name = "launch-" + session_.state().name + "-" + number_text(job_);
    for (int copy = 1;; ++copy) {
        path_ = folder / (name + (copy == 1 ? "" : "." + std::to_string(copy)) + ".out");
        const int flags = O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC;
        file_ = UniqueFd(open(path_.c_str(), flags, readable_by_all));
        if (file_) return Ok{};
        if (errno == EEXIST) continue;
        auto error = os_error("make " + path_ + " for the job's output", errno);
        error.hint = "--detach writes to the folder that it is called in";
        return error;
    }
}

std::string DetachedRun::text() const {
    const std::string job = number_text(job_);
    const std::string& session = session_.state().name;
    return "job " + job + " of session " + session + ": output in " + path_ +
           "\n  to see it: launch attach --session " + session + " " + job +
           "\n  to end it: launch signal --session " + session + " " + job + " TERM\n";
}

bool DetachedRun::leave(Background& background) {
    if (!background.ready(text())) {
        unlink(path_.c_str());
        return false;
    }
    dup2(file_.get(), STDOUT_FILENO);
    dup2(file_.get(), STDERR_FILENO);
    file_.reset();
    return true;
}

void DetachedRun::end(int exit_code) {
    const auto told = session_.ask(EndedRequest{exit_code});
    if (!told) say(describe(told.error()));
}

int tell_detached(Background& background, bool quiet) {
    const auto text = background.wait();
    if (!text) return background.exit_code();
    return quiet ? exit_code::success : show(*text);
}

}  // namespace launch
