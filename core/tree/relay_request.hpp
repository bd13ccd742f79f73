// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/job/job_spec.hpp"
#include "core/transport.hpp"

namespace launch {

/// Where launch is looked for first on hosts, and who beside root and the user may have put it
/// there: see path_owners().
struct LaunchPath {
    std::string path;
    std::vector<uint32_t> owners;
};

/// How a host's relay is asked for, with the executable at that path there: what a node of the tree
/// does, and what --dry-run explains.
StartRequest relay_request(const Host& host, const LaunchPath& launch,
                           const TreePolicies& policies);

/// The request to start a relay where the existing executable cannot be used.
StartRequest pushed_relay_request(const Host& host, const TreePolicies& policies);

}  // namespace launch
