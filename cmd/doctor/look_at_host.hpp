// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cmd/doctor/host_facts.hpp"

namespace launch {

/// The things to look at on a host.
struct LookRequest {
    std::vector<std::string> names;  ///< to resolve
    std::string wdir;                ///< the folder where launch was started
    std::vector<std::string> login;  ///< the environment of the relay: that of a login there
    bool waits_for_links = false;    ///< not before direct links have come up, or have not
};

/// Looks at this host. Separate processes ask file servers and name servers, because these may
/// hang; each is left behind after a few seconds, so that this takes half a minute at most.
HostFacts look_at_host(const LookRequest& request);

/// The role of the executable on a host that `launch doctor` checks: writes what it found to
/// standard output.
int start_check(const std::vector<std::string>& words);

/// The words of a command that runs the executable of its parent, which is launch, in this role.
std::vector<std::string> check_command(const std::vector<std::string>& names,
                                       const std::string& wdir, bool waits_for_links);

}  // namespace launch
