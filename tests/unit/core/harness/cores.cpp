// SPDX-License-Identifier: MIT
#include "tests/unit/core/harness/cores.hpp"

#include <algorithm>

namespace launch {

Cores::Cores(any_io_executor executor, size_t count, const CoreCosts& costs)
    : executor_(std::move(executor)), costs_(costs), free_at_(count) {}

awaitable<void> Cores::work(Clock::duration cost) {
    if (cost.count() == 0) co_return;
    const auto core = std::min_element(free_at_.begin(), free_at_.end());
    *core = std::max(*core, Clock::now()) + cost;
    co_await sleep_for(executor_, *core - Clock::now());
}

Cores& CoresOfHosts::of(NodeIndex node) {
    const NodeIndex owner = are_ == Are::shared ? 0 : node;
    return cores_.try_emplace(owner, executor_, count_, costs_).first->second;
}

}  // namespace launch
