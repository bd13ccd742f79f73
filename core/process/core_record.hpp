// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "core/process/core_file.hpp"
#include "core/wire/stack_groups.hpp"

namespace launch {

/// The role of the executable that takes the core files of processes and reads their stacks: the
/// first of its words. It is a process of its own for the reasons for which stacks_word is one.
inline constexpr const char* cores_word = "__cores";

/// Where core files of a host are kept, and until when that may take.
struct CoreKeeping {
    std::string folder;  ///< absolute
    std::string host;
    std::chrono::milliseconds limit{};

    bool operator==(const CoreKeeping&) const = default;
};

/// FOLDER/core.RANK.HOST.
std::string kept_core_path(const CoreKeeping& keeping, uint32_t rank);

/// The words of a command that runs this executable in that role. It writes a record for each
/// process (core/process/stack_record.hpp) when its core file has been taken, whose note says how
/// the process died, and what is wrong with its core file. Then it reads the files, which may take
/// long, and writes a record with the stack for each.
std::vector<std::string> cores_command(const CoreKeeping& keeping,
                                       const std::vector<DeadProcess>& dead);

struct CoresAsked {
    CoreKeeping keeping;
    std::vector<DeadProcess> dead;

    bool operator==(const CoresAsked&) const = default;
};
/// Reads the words after the role's name. Words that are no process end the list.
CoresAsked read_cores_words(const std::vector<std::string>& words);

/// Reads the output of the role: the last record of each process. One without a record has no core,
/// because of `why`, a clause.
StackGroups read_cores(std::string_view bytes, const std::vector<DeadProcess>& dead,
                       const std::string& why);

/// The role itself. Returns the exit code.
int write_cores(const std::vector<std::string>& words);

/// "died of signal 11 (Segmentation fault)".
std::string death_note(int signal);

}  // namespace launch
