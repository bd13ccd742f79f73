// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/base/error.hpp"

namespace launch {

/// A file could not be put where it is to be, or not be read: "stage SOURCE to PATH: CAUSE (HINT)".
Error stage_error(const std::string& source, const std::string& path, std::string cause,
                  std::string hint = {});
/// The error for an errno, with a hint.
Error stage_os_error(const std::string& source, const std::string& path, int errno_value);

}  // namespace launch
