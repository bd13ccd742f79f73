// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cmd/options/row.hpp"

namespace launch {

/// The form of this option's value in a file: "a whole number".
std::string value_in_words(const OptionRow& option);

/// The texts of what is used where nobody sets it; none where the row tells that in words
/// (OptionRow::if_unset).
std::vector<std::string> default_texts(const OptionRow& option);

/// Texts to show how it is written: those of its default or, where it has none, of an example.
std::vector<std::string> example_texts(const OptionRow& option);

}  // namespace launch
