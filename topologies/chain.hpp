// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "core/topology.hpp"

namespace launch {

/// Every node starts the next one: depth n - 1, degree 1.
std::unique_ptr<Topology> make_chain();

}  // namespace launch
