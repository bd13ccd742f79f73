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
    /// What failed before the program ran, for not_started.
    enum class Stage : uint8_t { none, fork, chdir, exec };

    Kind kind = Kind::exited;
    int32_t value = 0;
    Stage stage = Stage::none;

    bool success() const { return kind == Kind::exited && value == 0; }
    bool operator==(const ExitStatus&) const = default;

    /// From what waitpid(2) stored.
    static ExitStatus from_wait(int wait_status);
};

/// "exit code 3", "signal 11 (Segmentation fault)", "cannot execute: No such file or directory".
std::string to_string(const ExitStatus& status);

}  // namespace launch
