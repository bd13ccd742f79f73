// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace launch {

/// The two scripts, for any POSIX sh, that take in an executable over their standard input. Both
/// speak by lines of push_mark (opening.hpp). The executable goes in pieces; nothing may follow one
/// before the host has said that it has it, or its relay has greeted: a `head` that reads ahead
/// would swallow it.

/// The private folder, as mktemp has it: letters and digits for each X.
inline constexpr std::string_view push_folder = "launch-push-XXXXXXXXXX";

/// The size of a piece; the last one may be smaller.
inline constexpr uint64_t push_piece = 512u << 10;

/// The command for a host: asks, then runs the one line that it is sent. `or_in_path`: runs a
/// launch that is in PATH instead, if there is one.
std::vector<std::string> bootstrap_command(bool or_in_path);

struct Bootstrap {
    uint64_t size = 0;             ///< of the executable, which follows
    uint32_t checksum = 0;         ///< see Cksum
    std::chrono::seconds limit{};  ///< for a piece; where the way here is dead nobody says so
};

/// The line to send, with its end: finds a folder that others cannot replace, has room and lets
/// programs run, reads the executable into a private one of its own there, tests it and becomes
/// `launch --relay FOLDER`, which removes the folder (own_copy.hpp). Whatever goes wrong is said,
/// and removes it too.
std::string bootstrap_line(const Bootstrap& bootstrap);

}  // namespace launch
