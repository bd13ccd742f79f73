// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace launch {

/// A command for /bin/sh that succeeds if only root, the user there, `owners` and the owner of /
/// can have put or changed the executable or folder $p: it and each folder above it belong to them,
/// and no others may write there, except in sticky folders and in groups of one user. Then $p is
/// its path without links. The command has no backslash and no `!`, and is shorter than the 1024
/// bytes that csh takes as a word, because login shells read it. It takes two more processes, one
/// of them short. others_may_change() does the same in this process.
std::string trust_test(const std::vector<uint32_t>& owners);

}  // namespace launch
