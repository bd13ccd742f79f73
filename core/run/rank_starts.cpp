// SPDX-License-Identifier: MIT
#include "core/run/rank_starts.hpp"

#include <algorithm>
#include <utility>

namespace launch {

void RankStarts::make() {
    std::unique_lock lock(mutex_);
    while (!queue_.empty()) {
        begun_ = std::move(queue_.front());
        queue_.pop_front();
        lock.unlock();
        begun_->run();
        lock.lock();
        done_.push_back(std::exchange(begun_, nullptr));
        // The executor's thread has been notified of starts that are still in done_.
        if (executor_ && done_.size() == 1 && !queue_.empty())
            asio::post(*executor_, [self = shared_from_this()] {
                if (self->made_) self->made_();
            });
    }
}

std::vector<RankStarts::Start> RankStarts::take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(done_, {});
}

bool RankStarts::withdraw(const RankStart& start) {
    const std::lock_guard lock(mutex_);
    const auto at = std::find_if(queue_.begin(), queue_.end(),
                                 [&start](const Start& each) { return each.get() == &start; });
    if (at == queue_.end()) return false;
    queue_.erase(at);
    return true;
}

void RankStarts::close() {
    made_ = nullptr;
    const std::lock_guard lock(mutex_);
    executor_.reset();
    queue_.clear();
    if (begun_) begun_->kill();
    for (const Start& start : done_)
        start->kill();
}

}  // namespace launch
