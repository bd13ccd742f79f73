// SPDX-License-Identifier: MIT
#include "core/run/process_start.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/stat.h>

#include "core/process/process_group.hpp"
#include "core/process/pty.hpp"
#include "core/process/why_not_started.hpp"

namespace launch {

bool ProcessStart::make_streams(Theirs& theirs) {
    const bool made = settings_.terminal ? make_terminal(theirs) : make_pipes(theirs);
    if (!made) return false;
    const bool inherits = settings_.input == InputSource::inherited && !settings_.terminal;
    request_.stdin_fd = inherits ? 0 : theirs.input.get();
    request_.stdout_fd = theirs.output.get();
    request_.stderr_fd = theirs.errors.get();
    request_.own_terminal = settings_.terminal.has_value();
    return request_.stdin_fd >= 0;
}

/// On our side one stream carries all that the rank reads and writes.
bool ProcessStart::make_terminal(Theirs& theirs) {
    auto [ours, terminal] = make_pty(*settings_.terminal);
    if (!terminal) return false;
    const bool reads = takes_input(settings_.input);
    theirs.output = UniqueFd(fcntl(terminal.get(), F_DUPFD_CLOEXEC, 0));
    theirs.errors = UniqueFd(fcntl(terminal.get(), F_DUPFD_CLOEXEC, 0));
    if (reads) outcome.input = UniqueFd(fcntl(ours.get(), F_DUPFD_CLOEXEC, 0));
    if (!theirs.output || !theirs.errors || (reads && !outcome.input)) return false;
    theirs.input = std::move(terminal);
    outcome.output = std::move(ours);
    return true;
}

bool ProcessStart::make_pipes(Theirs& theirs) {
    if (settings_.input == InputSource::none) {
        theirs.input = UniqueFd(open("/dev/null", O_RDONLY | O_CLOEXEC));
    } else if (settings_.input != InputSource::inherited) {
        FdPair pipe = make_pipe();
        struct stat status {};
        if (fstat(pipe.first.get(), &status) == 0) outcome.input_pipe = status.st_ino;
        theirs.input = std::move(pipe.first);
        outcome.input = std::move(pipe.second);
    }
    FdPair out = make_pipe();
    FdPair err = make_pipe();
    theirs.output = std::move(out.second);
    theirs.errors = std::move(err.second);
    outcome.output = std::move(out.first);
    outcome.errors = std::move(err.first);
    return theirs.output && theirs.errors;
}

void ProcessStart::run() {
    Theirs theirs;
    if (make_streams(theirs)) {
        outcome.began = Clock::now();  // the process may run before this one does again
        outcome.spawned = spawn_process(request_, &in_flight_);
    } else {
        outcome.spawned.failure = {ExitStatus::Kind::not_started, errno, ExitStatus::Stage::fork};
    }
    if (outcome.spawned.pid >= 0) return;
    if (in_flight_.cancelled)
        outcome.failure = {{ExitStatus::Kind::signalled, SIGKILL}, {}};
    else
        outcome.failure = why_not_started(request_, outcome.spawned);
}

bool ProcessStart::signal(int number) {
    const pid_t pid = in_flight_.pid;
    return pid != 0 && ::kill(-pid, number) == 0;
}

void ProcessStart::kill() {
    in_flight_.cancelled = true;
    const pid_t pid = in_flight_.pid;
    if (pid != 0) ProcessGroup(pid).kill_all();
}

}  // namespace launch
