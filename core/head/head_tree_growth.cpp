// SPDX-License-Identifier: MIT
// Hosts that join the tree while it runs, and leave it.

#include <algorithm>
#include <map>
#include <utility>

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
    // A node that had not heard of that start may have given the number up since.
    std::erase_if(never_ran_, [this](NodeIndex node) { return node_.is_given_up(node); });
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
    std::map<NodeIndex, Host> numbered;
    for (const Host& host : hosts) {
        const auto former = former_number(host);
        const NodeIndex node = former ? *former : hosts_.add({host});
        if (former) hosts_.reuse(node, host);
        numbered.emplace(node, host);
        growth.nodes.push_back(node);
    }
    // Together as far as their numbers allow, so that those that take them on share them out.
    GrowMessage part;
    for (auto& [node, host] : numbered) {
        if (!part.hosts.empty() && part.first + part.count() != node)
            node_.grow(std::exchange(part, {}));
        if (part.hosts.empty()) part.first = node;
        part.hosts.push_back(std::move(host));
    }
    if (!part.hosts.empty()) node_.grow(std::move(part));
    return growth;
}

awaitable<void> HeadTree::complete(Growth& growth) {
    growths_.push_back(&growth);
    const auto limit = limit_of(growth);
    const auto deadline = limit.count() > 0 ? Clock::now() + limit : Clock::time_point::max();
    while (is_growing() && !is_complete(growth) && Clock::now() < deadline)
        co_await changed_.wait_until(deadline);
    if (is_growing()) give_up(limit, growth);
    std::erase(growths_, &growth);
    for (const NodeIndex node : growth.nodes)
        if (!hosts_.is_up(node) && growth.failure_of(node) == nullptr)
            growth.failures.push_back(did_not_come(node));
}

/// 0: none. Hosts that the tree began with have the time that the whole start has.
milliseconds HeadTree::limit_of(const Growth& growth) const {
    const bool some_of_start =
        std::any_of(growth.nodes.begin(), growth.nodes.end(),
                    [this](NodeIndex node) { return !hosts_.is_known(node) && !joined(node); });
    if (some_of_start) return plan_.start_limit;
    return plan_.spec.start_limit.value_or(
        usual_start_limit(plan_.spec.policies, growth.nodes.size()));
}

/// Nothing joins any more, or the host is gone again.
FailureMessage HeadTree::did_not_come(NodeIndex node) const {
    Error error{ErrorKind::unreachable, "start", hosts_.name_of(node)};
    error.cause = hosts_.is_known(node) ? "the host was lost or removed meanwhile"
                                        : "the host did not come up";
    return {node, false, {}, std::move(error)};
}

/// A host that has failed may be tried again by somebody else by now.
bool HeadTree::is_awaited(NodeIndex node, const Growth& growth) const {
    return !hosts_.is_known(node) && growth.failure_of(node) == nullptr;
}

bool HeadTree::is_complete(const Growth& growth) const {
    return std::none_of(growth.nodes.begin(), growth.nodes.end(),
                        [&](NodeIndex node) { return is_awaited(node, growth); });
}

/// The nodes for which somebody else waits.
std::set<NodeIndex> HeadTree::awaited_beside(const Growth& growth) const {
    std::set<NodeIndex> nodes;
    for (const Growth* const other : growths_)
        if (other != &growth) nodes.insert(other->nodes.begin(), other->nodes.end());
    return nodes;
}

/// Gives up hosts that have not reported. A relay that comes up later is dismissed. Hosts that
/// the tree began with have a limit of their own, and those for which others wait have theirs.
void HeadTree::give_up(milliseconds limit, Growth& growth) {
    RemoveMessage late;
    const auto awaited = awaited_beside(growth);
    for (const NodeIndex node : growth.nodes) {
        if (!is_awaited(node, growth)) continue;
        const auto failure = late_host(hosts_, node, limit);
        if (!joined(node) || awaited.contains(node)) {
            growth.failures.push_back(failure);
            continue;
        }
        late.nodes.push_back(node);
        hosts_.failed(failure);
        tell_growths(failure);
        tell([&failure](TreeWatch& told) { told.hosts_failed(failure); });
    }
    if (late.nodes.empty()) return;
    node_.broadcast(FrameType::remove, late.encode());
    changed_.notify();
}

/// `is_first`: nothing was known of the host. If the node that tried to start it reports that this
/// failed, no relay has its number.
void HeadTree::note_failure(const FailureMessage& failure, bool is_first) {
    removed_.erase(failure.node);
    if (is_first && !failure.was_up && joined(failure.node)) never_ran_.push_back(failure.node);
    tell_growths(failure);
}

/// All who wait for one of its nodes.
void HeadTree::tell_growths(const FailureMessage& failure) {
    const auto lost = failure.nodes();
    for (Growth* const growth : growths_)
        for (const NodeIndex node : growth->nodes) {
            if (!contains(lost, node) || growth->failure_of(node) != nullptr) continue;
            auto its_own = *failure.only([node](NodeRange range) {
                return parts_within({range}, {node, 1});
            });
            its_own.error.host = hosts_.name_of(node);
            growth->failures.push_back(std::move(its_own));
        }
}

void HeadTree::left(const NodesMessage& nodes) {
    for (const NodeIndex node : nodes.nodes) {
        hosts_.left(node);
        removed_.erase(node);
    }
    changed_.notify();
}

/// One removal after another: a node whose parent leaves, and that is on its way to the next one,
/// would not hear there that it is to leave, too, and would take those below it along. The number
/// of a node that never ran may be another's by then.
awaitable<void> HeadTree::remove(std::vector<NodeIndex> nodes, bool now) {
    const auto is_gone = [this](NodeIndex node) { return !hosts_.is_up(node); };
    std::erase_if(nodes, is_gone);
    while (!nodes.empty() && some_leave_ && is_growing())
        co_await changed_.wait();  // for some time only, as below
    std::erase_if(nodes, is_gone);
    if (nodes.empty() || !is_growing()) co_return;
    some_leave_ = true;
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
    some_leave_ = false;
    changed_.notify();
}

}  // namespace launch
