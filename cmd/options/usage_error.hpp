#pragma once

#include <string>

#include "core/base/error.hpp"

namespace launch {

/// An error in the user's words, with the way to the help.
Error usage_error(std::string cause);

}  // namespace launch
