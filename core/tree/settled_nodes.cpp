// SPDX-License-Identifier: MIT
#include "core/tree/settled_nodes.hpp"

#include <algorithm>
#include <cstdint>

namespace launch {

void SettledNodes::add(NodeRange nodes) {
    const uint64_t end = std::min(uint64_t{nodes.first} + nodes.count, first_ + settled_.size());
    for (uint64_t node = std::max(nodes.first, first_); node < end; ++node) {
        if (settled_[node - first_]) continue;
        settled_[node - first_] = true;
        ++count_;
    }
}

}  // namespace launch
