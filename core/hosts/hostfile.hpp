// SPDX-License-Identifier: MIT
#pragma once

#include <istream>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/hosts/host.hpp"

namespace launch {

/// Reads a host file; `name` is its name in messages. One host or host list (hostlist.hpp) a line,
/// then words that hold for all of the line's hosts, with or without white space around '=':
///
///     slots=N            replaces the slots in the list
///     max_slots=N        must not be below the slots; otherwise without effect
///     user=NAME          replaces the user in the list
///     binding=.. ifname=..   of other launchers, ignored
///
/// Each at most once on a line. A '-' in a key reads as '_'. '#' begins a comment. Hosts come in
/// the order of the lines, repeats included (merge_hosts adds them up). A file without a host is an
/// error. All mistakes are reported at once, up to 20, each as FILE:LINE:COLUMN: TEXT, with columns
/// in characters of UTF-8; `others` of the error has all but the first. A byte-order mark at the
/// beginning is skipped.
Result<std::vector<Host>> parse_hostfile(std::istream& file, std::string_view name);

}  // namespace launch
