#pragma once

#include <string>

#include "core/job/job_spec.hpp"
#include "core/transport.hpp"

namespace launch {

/// How a host's relay is asked for, with the executable at `path` there: what a node of the tree
/// does, and what --dry-run explains.
StartRequest relay_request(const Host& host, const std::string& path, const TreePolicies& policies);

/// The same where whatever is there will not do.
StartRequest pushed_relay_request(const Host& host, const TreePolicies& policies);

}  // namespace launch
