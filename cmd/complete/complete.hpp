// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cmd/options/table.hpp"

namespace launch {

/// One way to complete a word.
struct Candidate {
    std::string text;  ///< the whole word; one that ends with ':' goes on, without a space
    std::string help;  ///< one line, or empty
};

/// The completion that the shell adds itself.
enum class ShellPart : uint8_t {
    nothing,
    files,
    folders,
    command,  ///< what it does with another program's words
};

struct Completion {
    std::vector<Candidate> candidates;
    ShellPart shell = ShellPart::nothing;
    size_t command_at = 0;  ///< of ShellPart::command: the place of the program among the words
};

/// The names that can be completed besides options. They are read only when needed, because some
/// come from files.
struct CompletionNames {
    /// Names of hosts; of those host files too that stand in the words.
    std::function<std::vector<std::string>(const std::vector<std::string>& hostfiles)> hosts;
    std::function<std::vector<std::string>()> variables;
    std::function<std::vector<ChoiceWord>()> topics;  ///< of help
    std::function<std::vector<std::string>()> sessions;
    /// Whether a word is a job file's name (job_word.hpp).
    std::function<bool(const std::string&)> is_job_file;
};

/// How the last of the words after `launch` can go on, the words before it being as they are.
Completion complete(const std::vector<std::string>& words, const CompletionNames& names,
                    OptionTable table = all_options());

}  // namespace launch
