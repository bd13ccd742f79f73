// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cmd/options/row.hpp"

namespace launch {

/// The path as it is found from the folder; itself where it is absolute or the folder is empty.
std::string absolute(const std::string& path, const std::string& folder);

/// The text of an option's value: a path as it is found from the folder, but for the words that
/// may stand in its place, and what is no path.
std::string absolute_value(const OptionRow& option, const std::string& text,
                           const std::string& folder);

}  // namespace launch
