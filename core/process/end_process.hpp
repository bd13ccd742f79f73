// SPDX-License-Identifier: MIT
#pragma once

namespace launch {

/// Ends this process once what it has written is out, and runs no handler or destructor of a
/// library: one that is torn down crashes the threads that are inside, and a thread of a
/// DetachedPool may be inside a library for good.
[[noreturn]] void end_process(int code);

}  // namespace launch
