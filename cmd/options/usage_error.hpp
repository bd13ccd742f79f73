#pragma once

#include <string>

#include "core/base/error.hpp"

namespace launch {

/// An error in the user's words, with the way to the help.
Error usage_error(std::string cause);

/// Of a file that the user named and that cannot be read: `what` is "read the host file hosts".
Error unreadable(std::string what, int errno_value);

}  // namespace launch
