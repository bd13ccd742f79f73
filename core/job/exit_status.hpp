// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace launch {

/// How one rank ended.
struct ExitStatus {
    enum class Kind : uint8_t {
        exited,       ///< value: the exit code
        signalled,    ///< value: the signal
        not_started,  ///< value: errno of `stage`
        lost,         ///< its host was lost while it ran; value unused
        stuck,        ///< value: the id of a process that does not end, whatever it is sent
    };
    /// The step that failed before the program ran, for not_started.
    enum class Stage : uint8_t {
        none,
        fork,
        chdir,
        exec,
        interpreter,  ///< the program is there, and not what is to run it
        bind,         ///< to CPUs
        last = bind,
    };

    Kind kind = Kind::exited;
    int32_t value = 0;
    Stage stage = Stage::none;

    bool success() const { return kind == Kind::exited && value == 0; }
    bool operator==(const ExitStatus&) const = default;

    /// From what waitpid(2) stored.
    static ExitStatus from_wait(int wait_status);
};

/// A rank that was not started, and why: the stage that failed, and what is known of its cause.
struct NotStarted {
    ExitStatus status;
    std::string detail;  ///< empty: the status' errno says it
};

/// "cannot execute: WHY".
std::string not_started_text(ExitStatus::Stage stage, const std::string& why);

/// "exit code 3", "signal 11 (Segmentation fault)", "cannot execute: No such file or directory".
std::string to_string(const ExitStatus& status);

}  // namespace launch
