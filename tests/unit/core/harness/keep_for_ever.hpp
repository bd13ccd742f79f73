// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <utility>
#include <vector>

namespace launch {

/// Keeps a world that does not end, and so may not be destroyed, for as long as the process lives.
template <class T>
void keep_for_ever(std::unique_ptr<T> endless) {
    static auto& kept = *new std::vector<std::unique_ptr<T>>();
    kept.push_back(std::move(endless));
}

}  // namespace launch
