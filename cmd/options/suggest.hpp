// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace launch {

/// "np" of "-np".
std::string_view without_dashes(std::string_view word);

/// The candidate that a mistyped word is nearest to; empty if none is near enough to be meant.
/// Leading dashes decide between candidates that are as near.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

/// "; did you mean NAME?", or nothing where the name is empty.
std::string did_you_mean(std::string_view name);

/// A word of the command line in a message: as it is, or quoted if a reader could misread it.
std::string shown(std::string_view word);

}  // namespace launch
