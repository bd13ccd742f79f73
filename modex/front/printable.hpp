// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace launch {

/// The most characters of a message that the log shows.
inline constexpr size_t max_trace = 200;
/// The most characters of a rank's abort message; they are shown on a terminal, so control
/// characters are replaced.
inline constexpr size_t max_abort_text = 500;

/// The bytes on one line that no terminal acts upon: what is not printable ASCII as \n, \\ or \x1b,
/// many of the same of these as \x00(64 times). At most `limit` characters, and "..." where bytes
/// were left out.
std::string printable(std::string_view bytes, size_t limit);

/// One line of LAUNCH_LOG=pmi:trace, without the rank: "-> cmd=get_maxes\n" from a rank,
/// "<- cmd=maxes ...\n" to it.
std::string to_trace(bool from_rank, std::string_view bytes);

}  // namespace launch
