// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/base/error.hpp"

namespace launch {

/// Explains the exit code of a relay that did not call back: one of CallEnd or of a shell, on a
/// host whose standard error is not visible here. `folder`: the folder in which it had to read the
/// address to call.
Error call_end_error(int code, const std::string& folder);

}  // namespace launch
