// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace launch {

/// A command for /bin/sh that succeeds where nobody but root, the user there, `owners` and the
/// owner of / can have put or changed the executable or folder $p: it and each folder above it are
/// theirs, and not for others to write to, but for sticky folders and for groups of one user. Then
/// $p is its path without links. Without backslash and `!`, and shorter than the 1024 bytes that
/// csh takes as a word, since login shells read it. It takes two processes more, of which one is
/// short. others_may_change() is the same in this process.
std::string trust_test(const std::vector<uint32_t>& owners);

}  // namespace launch
