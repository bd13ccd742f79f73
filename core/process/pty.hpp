// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/fd.hpp"
#include "core/job/output_choice.hpp"

namespace launch {

/// Makes a pseudo terminal: its keyboard and screen first, the side for programs second. Both
/// empty, with errno, if none is available. See pty(7).
FdPair make_pty(WindowSize size);

}  // namespace launch
