// SPDX-License-Identifier: MIT
#include "core/tree/generations.hpp"

namespace launch {

std::optional<FailureMessage> still_true(FailureMessage failure, const Generations& generations) {
    std::vector<NodeRange> below;
    for (const NodeRange& range : failure.below)
        for (const NodeRange& part : generations.up_to(range, failure.generation))
            below.push_back(part);
    failure.below = std::move(below);
    if (generations.least(failure.node) <= failure.generation) return failure;
    if (failure.below.empty()) return std::nullopt;
    NodeRange& first = failure.below.front();
    failure.node = first.first;
    first = {first.first + 1, first.count - 1};
    if (first.count == 0) failure.below.erase(failure.below.begin());
    return failure;
}

}  // namespace launch
