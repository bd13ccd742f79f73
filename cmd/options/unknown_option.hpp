// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cmd/options/table.hpp"
#include "core/base/error.hpp"

namespace launch {

/// Of a word that is no option of the table: what to use instead, or the name that is nearest.
Error unknown_option(const std::string& spelling, OptionTable table = all_options());

}  // namespace launch
