// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.hpp"

namespace launch {

/// Why standard output could not be written. EPIPE is of kind reader_left.
Error output_error(int errno_value);

}  // namespace launch
