// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/hosts/host.hpp"

namespace launch {

/// The names that mean the machine that launch runs on, as far as they are known without a name
/// server. `own_host` is its host name in all functions.

/// One name may be the other with its domain.
bool same_machine(std::string_view a, std::string_view b);

/// Whether all of them are names of this machine, none with a user or a port, so that no login is
/// needed. False for an empty list.
bool all_are_here(const std::vector<Host>& hosts, const std::string& own_host);

}  // namespace launch
