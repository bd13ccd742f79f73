// SPDX-License-Identifier: MIT
#pragma once

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

}  // namespace launch
