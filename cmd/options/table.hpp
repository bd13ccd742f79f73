// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/options/row.hpp"

namespace launch {

/// Every option, by group.
using OptionTable = std::span<const OptionRow* const>;
OptionTable all_options();

/// The options of `launch config`: settings of a job, and its own.
OptionTable config_options();

/// The options of `launch doctor`: those of hosts and trees, and the format of the result.
OptionTable doctor_options();

/// The options of `launch session start`: those of hosts and trees, and its own.
OptionTable session_options();

/// Returns the options of a command that has no settings in files; each command has --help.
OptionTable own_options(std::string_view command);

std::string_view title_of(OptionGroup group);

/// Whether a word, if it stands where an option may, can only be one: `-` alone is a value.
inline bool looks_like_option(std::string_view word) {
    return word.size() > 1 && word[0] == '-';
}

/// Names as a table lists them, between single spaces.
std::vector<std::string_view> split_names(std::string_view text);
std::vector<std::string_view> names_of(const OptionRow& option);

/// The option of a word such as "-np"; null if no option has it. A name of several letters may have
/// one dash or two, whatever the table shows, because mpiexec's users write both.
const OptionRow* find_option(std::string_view word, OptionTable table = all_options());

/// The option that has this name without dashes: "np" or "genv"; null if no option has it.
const OptionRow* find_bare(std::string_view name, OptionTable table = all_options());

/// The flag that a word such as "--no-label" takes back; null if no flag fits. Flags of the
/// invocation (--dry-run) cannot be taken back, because no file sets them.
const OptionRow* find_negated(std::string_view word, OptionTable table = all_options());

/// The row of a key, as files write it; null if the scope has no such key.
const OptionRow* find_key(std::string_view key, Scope scope, OptionTable table = all_options());

/// The name that was probably meant by an unknown word; empty if none is near.
std::string_view nearest_option(std::string_view word, OptionTable table = all_options());

/// The texts of an option, and "false" for a flag that is not set, if a file may say so.
std::vector<std::string> texts_of(const OptionRow& option, const View& view);

/// An option in a message: as its user wrote it, or by its name where nobody gave it.
std::string spelled(const Settings& settings, std::string_view key);
/// An option with its value, or the option that implies both.
std::string spelled(const Settings& settings, std::string_view key, std::string_view value);
std::string spelled(const ProgramSettings& program, std::string_view key);
/// The spelling of one text of an option whose texts come from several places.
std::string spelled(const ProgramSettings& program, std::string_view key, size_t which);

}  // namespace launch
