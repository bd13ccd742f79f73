// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "core/hosts/host.hpp"

namespace launch {

/// The canonical text of a host, which parse_hosts (hostlist.hpp) reads back as the same Host:
/// NAME, NAME:SLOTS, USER@NAME, USER@NAME:PORT or [USER@]NAME:PORT:SLOTS; IPv6 in brackets.
std::string to_string(const Host& host);

/// Reads one host without ranges: the grammar of parse_hosts after its brackets are unfolded.
/// Returns what is wrong with the text as a clause ("the port 70000 is above 65535"), or an empty
/// string when `host` was filled.
std::string read_host(std::string_view text, Host& host);

/// The mistake in a user or a host name, as a clause; empty: none. A valid one is safe in a remote
/// command line and can't be taken for an option.
std::string objection_to_user(std::string_view user);
std::string objection_to_name(std::string_view name);

/// Reads a decimal number of at least 1 and at most UINT32_MAX; returns as read_host does.
std::string read_slots(std::string_view text, uint32_t& slots);

/// Whether a byte of the text, printed as it is, would make a terminal do something.
bool has_control(std::string_view text);

/// The text in double quotes for a message: shortened, and without a byte that a terminal obeys.
std::string quoted(std::string_view text);

}  // namespace launch
