// SPDX-License-Identifier: MIT
#include "cmd/exit_code.hpp"

#include <cerrno>
#include <csignal>

namespace launch {

int exit_code_of(const Error& error) {
    switch (error.kind) {
        case ErrorKind::usage: return exit_code::usage;
        case ErrorKind::unreachable: return exit_code::unreachable;
        case ErrorKind::not_found: return exit_code::not_found;
        case ErrorKind::not_allowed: return exit_code::not_allowed;
        case ErrorKind::timed_out: return exit_code::timed_out;
        case ErrorKind::staging: return exit_code::staging;
        case ErrorKind::output: return exit_code::output;
        case ErrorKind::reader_left: return exit_code::signal_base + SIGPIPE;
        case ErrorKind::protocol: return exit_code::protocol;
        case ErrorKind::internal: break;
    }
    return exit_code::internal;
}

int exit_code_of(const ExitStatus& status) {
    switch (status.kind) {
        case ExitStatus::Kind::exited: return status.value;
        case ExitStatus::Kind::signalled: return exit_code::signal_base + status.value;
        case ExitStatus::Kind::lost: return exit_code::unreachable;
        case ExitStatus::Kind::stuck: return exit_code::internal;
        case ExitStatus::Kind::not_started: break;
    }
    if (status.stage == ExitStatus::Stage::fork) return exit_code::internal;
    const bool found =
        status.stage == ExitStatus::Stage::chdir || status.stage == ExitStatus::Stage::interpreter;
    if (found) return exit_code::not_allowed;
    const bool missing = status.value == ENOENT || status.value == ENOTDIR;
    return missing ? exit_code::not_found : exit_code::not_allowed;
}

int exit_code_of(const JobOutcome& outcome) {
    if (outcome.error) return exit_code_of(*outcome.error);
    if (outcome.failed) return exit_code_of(*outcome.failed);
    return outcome.signal == 0 ? exit_code::success : exit_code::signal_base + outcome.signal;
}

}  // namespace launch
