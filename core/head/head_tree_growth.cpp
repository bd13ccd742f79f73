// SPDX-License-Identifier: MIT
// Hosts that join the tree while it runs, and leave it.

#include <algorithm>

#include "core/head/head_tree.hpp"
#include "core/head/waiting.hpp"
#include "core/link/patience.hpp"
#include "core/wire/growth_messages.hpp"

namespace launch {

const FailureMessage* HeadTree::Growth::failure_of(NodeIndex node) const {
    const auto at = std::find_if(failures.begin(), failures.end(),
                                 [node](const auto& failure) { return failure.node == node; });
    return at == failures.end() ? nullptr : &*at;
}

/// The number of the host if it could not be started before, and no relay ever ran under that
/// number. Every new number costs memory at the nodes above it.
std::optional<NodeIndex> HeadTree::former_number(const Host& host) {
    const auto at = std::find_if(never_ran_.begin(), never_ran_.end(), [&](NodeIndex node) {
        return is_same(hosts_.all()[node - 1], host);
    });
    if (at == never_ran_.end()) return std::nullopt;
    const NodeIndex node = *at;
    never_ran_.erase(at);
    return node;
}

HeadTree::Growth HeadTree::grow(const std::vector<Host>& hosts) {
    Growth growth;
    std::vector<Host> fresh;
    NodeIndex next = hosts_.count() + 1;
    for (const Host& host : hosts) {
        if (const auto former = former_number(host)) {
            hosts_.reuse(*former, host);
            node_.grow({*former, {host}});
            growth.nodes.push_back(*former);
        } else {
            fresh.push_back(host);
            growth.nodes.push_back(next++);
        }
    }
    const NodeIndex first = hosts_.add(fresh);
    if (!fresh.empty()) node_.grow({first, std::move(fresh)});
    return growth;
}

awaitable<void> HeadTree::complete(Growth& growth) {
    growths_.push_back(&growth);
    const auto limit = usual_start_limit(plan_.spec.policies, growth.nodes.size());
    const auto deadline = Clock::now() + limit;
    while (is_growing() && !is_complete(growth) && Clock::now() < deadline)
        co_await changed_.wait_until(deadline);
    if (is_growing()) give_up(limit, growth);
    std::erase(growths_, &growth);
}

/// A host that has failed may be tried again by somebody else by now.
bool HeadTree::is_awaited(NodeIndex node, const Growth& growth) const {
    return !hosts_.is_known(node) && growth.failure_of(node) == nullptr;
}

bool HeadTree::is_complete(const Growth& growth) const {
    return std::none_of(growth.nodes.begin(), growth.nodes.end(),
                        [&](NodeIndex node) { return is_awaited(node, growth); });
}

/// Gives up hosts that have not reported. A relay that comes up later is dismissed. Hosts that
/// the tree began with have a limit of their own.
void HeadTree::give_up(milliseconds limit, Growth& growth) {
    RemoveMessage late;
    for (const NodeIndex node : growth.nodes) {
        if (!is_awaited(node, growth)) continue;
        const auto failure = late_host(hosts_, node, limit);
        growth.failures.push_back(failure);
        if (!joined(node)) continue;
        late.nodes.push_back(node);
        hosts_.failed(failure);
        tell([&failure](TreeWatch& told) { told.hosts_failed(failure); });
    }
    if (!late.nodes.empty()) node_.broadcast(FrameType::remove, late.encode());
}

/// `is_first`: nothing was known of the host. If the node that tried to start it reports that this
/// failed, no relay has its number.
void HeadTree::note_failure(const FailureMessage& failure, bool is_first) {
    removed_.erase(failure.node);
    if (is_first && !failure.was_up && joined(failure.node)) never_ran_.push_back(failure.node);
    for (Growth* const growth : growths_)
        for (const NodeIndex node : growth->nodes) {
            auto its_own = failure.only([node](NodeRange range) {
                return parts_within({range}, {node, 1});
            });
            if (!its_own || growth->failure_of(node) != nullptr) continue;
            its_own->error.host = hosts_.name_of(node);
            growth->failures.push_back(*std::move(its_own));
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
