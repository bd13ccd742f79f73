// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace launch {

/// The numeric addresses by which others may reach this machine, those of IPv4 first: of all
/// interfaces that are up, except loopback and link-local ones.
std::vector<std::string> own_addresses();

}  // namespace launch
