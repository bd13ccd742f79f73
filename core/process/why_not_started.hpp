// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/job/exit_status.hpp"
#include "core/process/spawn.hpp"

namespace launch {

/// The facts about a program that decide whether it can be started.
struct ProgramPlace {
    std::string program;  ///< argv[0]
    std::string path;     ///< PATH, as its own environment has it
    std::string wdir;     ///< where it starts; empty: the caller's
};

/// Is told of each path, absolute where that is known, before it is looked at: a file server that
/// is down may not answer for good.
using LookingAt = std::function<void(const std::string& path)>;

/// The result of a look at a program's files.
struct ProgramLook {
    std::optional<NotStarted> obstacle;  ///< why it cannot be started; nothing: it looks well
    std::string file;                    ///< which would be run then, as seen from the start folder
};

/// Without starting it, and by the same search and for the same reasons as spawn_process(). Blocks.
ProgramLook look_at_program(const ProgramPlace& place, const LookingAt& looking_at = nullptr);

/// Only the reason why the program cannot be started, from look_at_program().
inline std::optional<NotStarted> find_obstacle(const ProgramPlace& place) {
    return look_at_program(place).obstacle;
}

/// Why spawn_process() failed, in more than an errno where more is known.
NotStarted why_not_started(const SpawnRequest& request, const SpawnResult& result);

/// The interpreter that a script's first bytes name: "/bin/sh" for "#!/bin/sh -e\n"; empty for
/// anything but a script. A carriage return before the line's end is part of it, as it is for the
/// kernel.
std::string interpreter_of(std::string_view first_bytes);

}  // namespace launch
