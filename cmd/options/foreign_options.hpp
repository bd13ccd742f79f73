// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace launch {

/// Options that other launchers have and launch has not, and what to do here instead.
struct ForeignOptions {
    std::string_view names;   ///< without dashes: "bind-to binding"
    std::string_view advice;  ///< a clause
    /// A flag without which the job is what its user wants: a note says so, and the job runs.
    bool passed_over = false;
};

std::span<const ForeignOptions> foreign_options();

/// The advice for a word such as "--bind-to"; empty if no other launcher is known to have it.
std::string_view advice_for(std::string_view word);

/// Whether such a word is passed over with a note.
bool is_passed_over(std::string_view word);

}  // namespace launch
