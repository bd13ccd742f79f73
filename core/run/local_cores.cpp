// SPDX-License-Identifier: MIT
#include "core/run/local_cores.hpp"

#include <utility>

#include "core/link/patience.hpp"

namespace launch {

awaitable<void> LocalCores::take(const CoreKeeping& keeping, DeadProcess dead) {
    if (waiting_.empty()) deadline_ = Clock::now() + patience::cores;
    waiting_.push_back(std::move(dead));
    const uint64_t own_batch = batches_begun_;
    while (batches_done_ <= own_batch) {
        if (batches_begun_ > batches_done_) {
            co_await changed_.wait();
            continue;
        }
        ++batches_begun_;
        auto stacks = co_await local_cores(executor_, keeping, std::exchange(waiting_, {}),
                                           deadline_, stop_.get_token());
        stacks_.merge(std::move(stacks));
        ++batches_done_;
        changed_.notify();
    }
}

}  // namespace launch
