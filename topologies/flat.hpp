// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "core/topology.hpp"

namespace launch {

/// The root starts every other node itself: depth 1, degree n - 1.
std::unique_ptr<Topology> make_flat();

}  // namespace launch
