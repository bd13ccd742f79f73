// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace launch::fuzz {

/// Rank 1 of 3, as the environment says or the launcher's port.
inline constexpr int client_rank = 1;
inline constexpr int client_ranks = 3;

/// What a launcher answers to a rank that begins.
inline constexpr std::string_view client_greeting =
    "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n"
    "cmd=maxes kvsname_max=256 keylen_max=64 vallen_max=1024\n"
    "cmd=my_kvsname kvsname=launch-1\n";

/// A program that uses the client library: begins, puts `value`, fences, gets and ends, whatever
/// the launcher says.
void run_client(const std::string& value);

}  // namespace launch::fuzz
