// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/hosts/host.hpp"
#include "core/hosts/host_text.hpp"

namespace launch {

/// No list or file makes more hosts than this: n[1-999999999999] is an error, not an allocation.
inline constexpr std::size_t max_hosts = 4'000'000;

/// Reads a host list: items separated by commas or white space.
///
///     NAME  NAME:SLOTS  USER@NAME  USER@NAME:PORT  [USER@]NAME:PORT:SLOTS
///
/// Port 0 is the transport's default. A bracket unfolds to numbers anywhere in an item:
/// node[001-064,100] keeps its zeros, r[1-2]n[01-16] is the product, leftmost slowest. A bracket
/// that contains ':' is an IPv6 address instead, with or without %ZONE, and stands for NAME.
/// Hosts come in the order of the text, repeats included; names are kept as written. A list
/// without a host is an error, as is one of more than `most`. `wrong_at`: where not null, receives
/// the place in the text of the item that is wrong.
Result<std::vector<Host>> parse_hosts(std::string_view text, std::size_t most = max_hosts,
                                      std::size_t* wrong_at = nullptr);

/// The list as short text, order kept: parse_hosts(fold_hosts(x)) is x for every x that
/// parse_hosts can make. Linear in the size of x.
std::string fold_hosts(const std::vector<Host>& hosts);

/// Names for a message: sorted as people count (n9 before n10), once each, folded.
std::string fold_names(std::vector<std::string> names);

/// One Host per (user, name, port), at its first place, with the slots of all its repeats.
std::vector<Host> merge_hosts(std::vector<Host> hosts);

/// Several lists of hosts as one, in which each host is once.
struct JointHosts {
    std::vector<Host> hosts;
    std::vector<std::vector<uint32_t>> places;  ///< of the hosts of each list among all
};

/// Each list is merged. A host of several has as many slots as the list that gives it most: each
/// tells of the same host.
JointHosts join_hosts(std::vector<std::vector<Host>> lists);

}  // namespace launch
