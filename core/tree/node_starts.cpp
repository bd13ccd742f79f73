// SPDX-License-Identifier: MIT
// Reports starts from this node: their stage if they take long, and the time of each stage if the
// job wants to know.

#include "core/tree/node.hpp"

namespace launch {
namespace {

/// A start of usual length is not worth a word on its way.
constexpr milliseconds slow_start{700};

uint64_t microseconds_between(Clock::time_point from, Clock::time_point to) {
    if (to < from) return 0;
    const auto time = std::chrono::duration_cast<std::chrono::microseconds>(to - from);
    return static_cast<uint64_t>(time.count());
}

HostStart start_of(const Child& child, Clock::time_point opened_at) {
    HostStart start{child.index(), child.clock().stage(), {}};
    for (size_t i = 0; i < start_stages; ++i)
        if (const auto began = child.clock().began(static_cast<StartStage>(i)))
            start.began[i] = microseconds_between(opened_at, *began);
    return start;
}

}  // namespace

void Node::start_ended(const Child& child) {
    if (settings_.tree.policies.starts) upstream_.starts({self_, {start_of(child, opened_at_)}});
}

/// Until none is under way; each only when it is in another stage than it was said to be.
awaitable<void> Node::tell_slow_starts() {
    std::map<NodeIndex, StartStage> told;
    for (;;) {
        const auto due = Clock::now() + slow_start;
        const auto under_way = [this] {
            return !is_ending() && !stop_.stop_requested() &&
                   std::any_of(children_.begin(), children_.end(),
                               [](const auto& child) { return child->is_being_started(); });
        };
        while (under_way() && Clock::now() < due)
            co_await changed_.wait_until(due);
        if (!under_way()) break;
        StartsMessage news{self_, {}};
        for (const auto& child : children_) {
            if (!child->is_being_started()) continue;
            HostStart start = start_of(*child, opened_at_);
            const auto [at, is_new] = told.emplace(start.node, start.stage);
            if (!is_new && at->second == start.stage) continue;
            at->second = start.stage;
            news.hosts.push_back(start);
        }
        if (!news.hosts.empty()) upstream_.starts(news);
    }
    tells_slow_starts_ = false;
}

}  // namespace launch
