// SPDX-License-Identifier: MIT
#include "core/job/exit_status.hpp"

#include <cstring>
#include <sys/wait.h>
#include <system_error>

namespace launch {
namespace {

const char* stage_text(ExitStatus::Stage stage) {
    switch (stage) {
        case ExitStatus::Stage::fork: return "cannot create a process: ";
        case ExitStatus::Stage::chdir: return "cannot enter the working directory: ";
        case ExitStatus::Stage::exec:
        case ExitStatus::Stage::interpreter: return "cannot execute: ";
        case ExitStatus::Stage::bind: return "cannot be bound: ";
        case ExitStatus::Stage::none: break;
    }
    return "cannot start: ";
}

}  // namespace

std::string not_started_text(ExitStatus::Stage stage, const std::string& why) {
    return stage_text(stage) + why;
}

ExitStatus ExitStatus::from_wait(int wait_status) {
    if (WIFSIGNALED(wait_status)) return {Kind::signalled, WTERMSIG(wait_status), Stage::none};
    return {Kind::exited, WEXITSTATUS(wait_status), Stage::none};
}

std::string to_string(const ExitStatus& status) {
    switch (status.kind) {
        case ExitStatus::Kind::exited: return "exit code " + std::to_string(status.value);
        case ExitStatus::Kind::signalled:
            return "signal " + std::to_string(status.value) + " (" + strsignal(status.value) + ")";
        case ExitStatus::Kind::not_started:
            return not_started_text(status.stage, std::generic_category().message(status.value));
        case ExitStatus::Kind::stuck: return "no end after SIGKILL";
        case ExitStatus::Kind::lost: break;
    }
    return "lost with its host";
}

}  // namespace launch
