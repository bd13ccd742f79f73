// SPDX-License-Identifier: MIT
#include "core/tree/block.hpp"

namespace launch {

Block Block::slice(size_t begin, size_t end) const {
    const auto b = static_cast<std::ptrdiff_t>(begin);
    const auto e = static_cast<std::ptrdiff_t>(end);
    Block part;
    part.first = first + static_cast<NodeIndex>(begin);
    part.generation = generation;
    part.hosts.assign(hosts.begin() + b, hosts.begin() + e);
    return part;
}

}  // namespace launch
