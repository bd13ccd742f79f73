// SPDX-License-Identifier: MIT
#include "core/tree/generations.hpp"

namespace launch {

std::optional<FailureMessage> still_true(const FailureMessage& failure,
                                         const Generations& generations) {
    return failure.only(
        [&](NodeRange nodes) { return generations.up_to(nodes, failure.generation); });
}

}  // namespace launch
