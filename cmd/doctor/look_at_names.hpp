// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cmd/doctor/host_facts.hpp"

namespace launch {

/// What each of these names is here, as programs see it (getaddrinfo). Addresses are left out. It
/// takes no longer than some seconds.
std::vector<NameFact> look_at_names(const std::vector<std::string>& names);

}  // namespace launch
