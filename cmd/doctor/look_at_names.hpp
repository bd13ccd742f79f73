// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cmd/doctor/host_facts.hpp"

namespace launch {

/// Resolves these names as programs do (getaddrinfo); names that are addresses are left out. Takes
/// some seconds at most.
std::vector<NameFact> look_at_names(const std::vector<std::string>& names);

}  // namespace launch
