// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include "core/wire/stack_groups.hpp"

namespace launch {

/// The role of the executable that reads the stacks of processes: the first of its words. It is a
/// process of its own, since reading may hang, and a debugger must not reap a relay's children.
inline constexpr const char* stacks_word = "__stacks";

/// A process of a rank: its own, or one below it.
struct RankProcessId {
    uint32_t rank = 0;
    pid_t process = 0;
};

/// The words of a command that runs this executable in that role. It writes each stack as soon as
/// it is known, so that a process that hangs does not cost those before it.
std::vector<std::string> stacks_command(const std::vector<RankProcessId>& processes);

/// The role itself, with the words after its name. A process that has ended has an empty record.
/// Returns the exit code.
int write_stacks(const std::vector<std::string>& words);

struct ReadStacks {
    StackGroups stacks;
    size_t processes = 0;  ///< the first so many of the processes have been looked at
};
/// Reads the output of the role. A last stack that is not complete is left out.
ReadStacks read_stacks(std::string_view bytes);

/// The records of that output, each as it was written. A last one that is not complete is left out.
std::vector<StackGroups> read_stack_records(std::string_view bytes);

/// Writes one record to standard output.
void write_stack_record(const StackGroups& stacks);

/// The name of a process (/proc/PID/comm).
std::string process_name(pid_t process);

/// The frames of the main thread in the output of `py-spy dump`, the outermost first.
std::vector<std::string> frames_of_py_spy(std::string_view text);

}  // namespace launch
