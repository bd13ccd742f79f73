// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cmd/options/table.hpp"
#include "core/base/error.hpp"

namespace launch {

/// Options that other launchers have and launch has not, and what to do here instead.
struct ForeignOptions {
    std::string_view names;   ///< without dashes: "bind-to binding"
    std::string_view advice;  ///< a clause
    /// A flag without which the job is what its user wants: a note says so, and the job runs.
    bool passed_over = false;
};

std::span<const ForeignOptions> foreign_options();

/// The row of a word such as "--binding"; null if no other launcher is known to have it.
const ForeignOptions* find_foreign_option(std::string_view word);

/// The error for a word that is not an option of the table: what to use instead, or the nearest
/// name.
Error unknown_option(const std::string& spelling, OptionTable table = all_options());

}  // namespace launch
