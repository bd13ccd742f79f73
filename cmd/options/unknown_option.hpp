// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cmd/options/table.hpp"
#include "core/base/error.hpp"

namespace launch {

/// The error for a word that is not an option of the table: what to use instead, or the nearest
/// name.
Error unknown_option(const std::string& spelling, OptionTable table = all_options());

}  // namespace launch
