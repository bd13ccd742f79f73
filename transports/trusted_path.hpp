#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace launch {

/// Only root can have put something there, on any host (Filesystem Hierarchy Standard). Below
/// /usr/local and /opt sites often let a group install.
bool is_of_system(std::string_view path);

/// A command for /bin/sh that succeeds where nobody but root, the user there and `owners` can have
/// put or changed the executable $0: it and each folder above it are theirs, and not for others to
/// write to, but for sticky folders and for groups of one user. Without backslash and `!`, and
/// shorter than the 1024 bytes that csh takes as a word, since login shells read it. It takes two
/// processes more, of which one is short.
std::string trust_test(const std::vector<uint32_t>& owners);

}  // namespace launch
