// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/base/error.hpp"

namespace launch {

/// Why a relay did not call back that ended with this exit code: one of CallEnd or of a shell, on
/// a host whose standard error is not seen here. `folder`: where it was to read whom to call.
Error call_end_error(int code, const std::string& folder);

}  // namespace launch
