#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/job/exit_status.hpp"
#include "core/process/spawn.hpp"

namespace launch {

/// What of a program is looked at before it is started.
struct ProgramPlace {
    std::string program;  ///< argv[0]
    std::string path;     ///< PATH, as its own environment has it
    std::string wdir;     ///< where it starts; empty: the caller's
};

/// Is told of each path, absolute where that is known, before it is looked at: a file server that
/// is down may not answer for good.
using LookingAt = std::function<void(const std::string& path)>;

/// Why a program cannot be started, as far as its files tell: without starting it, and for the
/// same reasons as spawn_process(). Nothing: it looks well. Blocks.
std::optional<NotStarted> find_obstacle(const ProgramPlace& place,
                                        const LookingAt& looking_at = nullptr);

/// Why spawn_process() failed, in more than an errno where more is known.
NotStarted why_not_started(const SpawnRequest& request, const SpawnResult& result);

/// What a script's first bytes say is to run it: "/bin/sh" of "#!/bin/sh -e\n"; empty for what is
/// no script. A carriage return before the line's end is part of it, as it is for the kernel.
std::string interpreter_of(std::string_view first_bytes);

}  // namespace launch
