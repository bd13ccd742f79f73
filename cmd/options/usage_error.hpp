#pragma once

#include <string>

#include "core/base/error.hpp"

namespace launch {

/// An error in the user's words, with the way to the help.
Error usage_error(std::string cause);

/// Of a file that the user named and that cannot be read: `what` is "read the host file".
Error unreadable(const std::string& what, const std::string& path, int errno_value);

/// A path in a message, on one line: as it is where nobody could misread it, however long.
std::string shown_path(const std::string& path);

}  // namespace launch
