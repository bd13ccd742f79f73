// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <iterator>
#include <vector>

namespace launch {

/// Takes out what `stays` is false for. Both keep their order.
template <class T, class Predicate>
std::vector<T> take_unless(std::vector<T>& items, Predicate stays) {
    const auto begin = std::stable_partition(items.begin(), items.end(), stays);
    std::vector<T> taken(std::make_move_iterator(begin), std::make_move_iterator(items.end()));
    items.erase(begin, items.end());
    return taken;
}

}  // namespace launch
