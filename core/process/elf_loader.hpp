// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace launch {

/// The loader that an executable of this machine's kind names, as its first bytes have it
/// (PT_INTERP, System V Application Binary Interface). Empty: none, or not to be seen there.
std::string loader_of(std::string_view first_bytes);

}  // namespace launch
