// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "core/process/core_file.hpp"

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

/// The words of a command that runs this executable in that role. It writes one record for each
/// process (core/process/stack_record.hpp), whose stack has a note that says how the process died,
/// and what is wrong with its core file.
std::vector<std::string> cores_command(const CoreKeeping& keeping,
                                       const std::vector<DeadProcess>& dead);

struct CoresAsked {
    CoreKeeping keeping;
    std::vector<DeadProcess> dead;

    bool operator==(const CoresAsked&) const = default;
};
/// Reads the words after the role's name. Words that are no process end the list.
CoresAsked read_cores_words(const std::vector<std::string>& words);

/// The role itself. Returns the exit code.
int write_cores(const std::vector<std::string>& words);

/// "died of signal 11 (Segmentation fault)".
std::string death_note(int signal);

}  // namespace launch
