// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace launch {

/// The limits in the answer to get_maxes. The client of MPICH 4.0.2 (and its descendants) has lines
/// of 1024 bytes, and sends at most
///
///     cmd=put kvsname=K key=L value=V, newline, NUL     29 + K + L + V + 1
///
/// so it takes 1024 - K - L - 30 as the length of values if more is offered: 674 of Hydra's
/// 256/64/1024. It cuts longer cards into segments, each a put and a get of its own. A short name
/// for the store leaves more for values, and the offer here is the result of that formula, so that
/// clients that do not calculate work as well. 32 bytes for a name would gain 32 more; 64 is what
/// others offer and clients are known to accept. An answer, "cmd=get_result rc=0 msg=success
/// value=V", newline, NUL, is 40 + V.
inline constexpr size_t pmi1_kvsname_max = 64;
inline constexpr size_t pmi1_keylen_max = 64;
inline constexpr size_t pmi1_client_line = 1024;
inline constexpr size_t pmi1_vallen_max =
    pmi1_client_line - pmi1_kvsname_max - pmi1_keylen_max - 30;
static_assert(pmi1_vallen_max == 866);
static_assert(40 + pmi1_vallen_max <= pmi1_client_line);

/// A line of a rank. Clients of MPICH before 4.1 keep to 1024; newer ones send arguments of
/// programs to spawn and messages of abort at any length.
inline constexpr size_t pmi1_line_max = 64u << 10;

/// All lines of one spawn.
inline constexpr size_t pmi1_spawn_max = 1u << 20;

}  // namespace launch
