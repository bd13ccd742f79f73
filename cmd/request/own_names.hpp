// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/hosts/host.hpp"

namespace launch {

/// Which names mean the machine that launch runs on, as far as that can be told without asking a
/// name server. `own_host` is its host name throughout.

/// One name may be the other with its domain.
bool same_machine(std::string_view a, std::string_view b);

/// All of them are names of this machine, none with a user or a port, so nobody need log in.
/// False where there are none.
bool all_are_here(const std::vector<Host>& hosts, const std::string& own_host);

}  // namespace launch
