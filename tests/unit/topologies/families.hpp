// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "topologies/binomial.hpp"
#include "topologies/chain.hpp"
#include "topologies/flat.hpp"
#include "topologies/kary.hpp"

namespace launch {

/// Every family, and enough degrees: the properties of core/topology.hpp hold for each.
inline std::vector<std::unique_ptr<Topology>> every_topology() {
    std::vector<std::unique_ptr<Topology>> all;
    all.push_back(make_flat());
    all.push_back(make_chain());
    all.push_back(make_binomial());
    all.push_back(make_hypercube());
    for (const uint32_t degree : {1U, 2U, 3U, 5U, 8U, 32U, 100U, 4'000'000'000U}) {
        all.push_back(make_kary(degree));
    }
    return all;
}

}  // namespace launch
