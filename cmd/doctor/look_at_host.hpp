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

/// The words of a command that runs the executable of its parent, which is launch, in the role
/// start_check.
std::vector<std::string> check_command(const std::vector<std::string>& names,
                                       const std::string& wdir, bool waits_for_links);

/// The MPI and PMIx libraries that programs would be given here, by their own word for what they
/// are. Takes some seconds at most.
std::vector<LibraryFact> look_at_libraries();

/// Returns name and version from the version text of a library: "MPICH Version: 4.0.2 ..." is
/// MPICH, 4.0.2.
LibraryFact library_of(const std::string& said);

}  // namespace launch
