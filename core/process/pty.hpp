// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/fd.hpp"
#include "core/job/output_choice.hpp"

namespace launch {

/// A terminal of our own: its keyboard and screen first, what programs open second. Both empty,
/// with errno, where there is none to be had. See pty(7).
FdPair make_pty(WindowSize size);

}  // namespace launch
