// SPDX-License-Identifier: MIT
// Hosts that join the tree while it runs, and leave it.

#include <algorithm>

#include "core/head/head_tree.hpp"
#include "core/head/waiting.hpp"
#include "core/link/patience.hpp"
#include "core/wire/growth_messages.hpp"

namespace launch {

/// Returns the number of the first of these hosts; the others follow it. A single host reuses a
/// number under which no relay has ever run, if there is one, because every new number costs memory
/// at the nodes above it.
NodeIndex HeadTree::number_of(const std::vector<Host>& hosts) {
    if (hosts.size() != 1 || never_ran_.empty()) return hosts_.add(hosts);
    const NodeIndex node = never_ran_.back();
    never_ran_.pop_back();
    hosts_.reuse(node, hosts.front());
    return node;
}

HeadTree::Growth HeadTree::grow(std::vector<Host> hosts) {
    Growth growth;
    growth.count = static_cast<NodeIndex>(hosts.size());
    growth.first = number_of(hosts);
    node_.grow({growth.first, std::move(hosts)});
    return growth;
}

awaitable<void> HeadTree::complete(Growth& growth) {
    growths_.push_back(&growth);
    const auto limit = usual_start_limit(plan_.spec.policies, growth.count);
    const auto deadline = Clock::now() + limit;
    while (is_growing() && !is_complete(growth) && Clock::now() < deadline)
        co_await changed_.wait_until(deadline);
    if (is_growing()) give_up(limit, growth);
    std::erase(growths_, &growth);
}

bool HeadTree::is_complete(const Growth& growth) const {
    for (NodeIndex i = 0; i < growth.count; ++i)
        if (!hosts_.is_known(growth.first + i)) return false;
    return true;
}

/// Gives up hosts that have not reported. A relay that comes up later is dismissed.
void HeadTree::give_up(milliseconds limit, Growth& growth) {
    RemoveMessage late;
    for (const auto& failure : late_hosts(hosts_, limit)) {
        if (failure.node < growth.first || failure.node - growth.first >= growth.count) continue;
        late.nodes.push_back(failure.node);
        hosts_.failed(failure);
        growth.failures.push_back(failure);
        tell([&failure](TreeWatch& told) { told.hosts_failed(failure); });
    }
    if (!late.nodes.empty()) node_.broadcast(FrameType::remove, late.encode());
}

/// `is_first`: nothing was known of the host. If the node that tried to start it reports that this
/// failed, no relay has its number.
void HeadTree::note_failure(const FailureMessage& failure, bool is_first) {
    removed_.erase(failure.node);
    if (is_first && !failure.was_up && failure.node > message_.nodes)
        never_ran_.push_back(failure.node);
    for (Growth* const growth : growths_) {
        const auto is_its_own = [growth](NodeRange nodes) {
            return !parts_within({nodes}, {growth->first, growth->count}).empty();
        };
        if (is_its_own({failure.node, 1}) ||
            std::any_of(failure.below.begin(), failure.below.end(), is_its_own))
            growth->failures.push_back(failure);
    }
}

void HeadTree::left(const NodesMessage& nodes) {
    for (const NodeIndex node : nodes.nodes) {
        hosts_.left(node);
        removed_.erase(node);
    }
    changed_.notify();
}

awaitable<void> HeadTree::remove(std::vector<NodeIndex> nodes, bool now) {
    std::erase_if(nodes, [this](NodeIndex node) { return !hosts_.is_up(node); });
    if (nodes.empty()) co_return;
    for (const NodeIndex node : nodes) {
        if (now)
            removed_.insert(node);
        else
            hosts_.leaves(node);
    }
    node_.broadcast(FrameType::remove, RemoveMessage{nodes, now}.encode());
    const auto deadline = Clock::now() + patience::remove;
    const auto some_here = [&] {
        return std::any_of(nodes.begin(), nodes.end(),
                           [this](NodeIndex node) { return !hosts_.has_failed(node); });
    };
    while (is_growing() && some_here() && Clock::now() < deadline)
        co_await changed_.wait_until(deadline);
    for (const NodeIndex node : nodes)
        hosts_.left(node);
}

}  // namespace launch
