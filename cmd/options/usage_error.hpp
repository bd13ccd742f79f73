// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/base/error.hpp"

namespace launch {

/// An error in the user's words, with the way to the help.
Error usage_error(std::string cause);

/// The error of a command that has a page of its own: its hint, if it is the usual one, names that.
Error with_page(Error error, std::string_view page);

/// The error for an unreadable file of the user: `what` is "read the host file".
Error unreadable(const std::string& what, const std::string& path, int errno_value);

/// A path in a message, on one line: as it is where nobody could misread it, however long.
std::string shown_path(const std::string& path);

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
