// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cmd/options/row.hpp"

namespace launch {

/// The path as it is found from the folder; itself where it is absolute or the folder is empty.
std::string absolute(const std::string& path, const std::string& folder);

/// The text of an option's value, with a path made absolute from the folder. Words that may stand
/// instead of a path, and values that are not paths, stay.
std::string absolute_value(const OptionRow& option, const std::string& text,
                           const std::string& folder);

}  // namespace launch
