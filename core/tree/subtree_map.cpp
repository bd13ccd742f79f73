// SPDX-License-Identifier: MIT
#include "core/tree/subtree_map.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace launch {
namespace {

constexpr SubtreeMap::ChildId nobody = 0;

}  // namespace

/// A stretch begins at `at` from now on, if one has it. The first that begins there or later.
SubtreeMap::Stretches::iterator SubtreeMap::cut(uint64_t at) {
    const auto next = stretches_.lower_bound(at);
    if (next == stretches_.begin()) return next;
    Stretch& before = std::prev(next)->second;
    if (before.end <= at) return next;
    const Stretch rest{before.end, before.owner};
    before.end = at;
    return stretches_.emplace_hint(next, at, rest);
}

/// The two stretches that meet at `at` become one if they have the same owner.
void SubtreeMap::join(uint64_t at) {
    const auto right = stretches_.find(at);
    if (right == stretches_.end() || right == stretches_.begin()) return;
    Stretch& left = std::prev(right)->second;
    if (left.end != at || left.owner != right->second.owner) return;
    left.end = right->second.end;
    stretches_.erase(right);
}

template <class Change>
void SubtreeMap::alter(NodeRange nodes, const Change& change) {
    if (nodes.count == 0) return;
    const uint64_t end = uint64_t{nodes.first} + nodes.count;
    auto at = cut(nodes.first);
    cut(end);
    Stretches altered;
    uint64_t next = nodes.first;
    const auto add = [&](uint64_t first, uint64_t last, const std::optional<Owner>& before) {
        const std::optional<Owner> after = change(before);
        if (after) altered.emplace(first, Stretch{last, *after});
    };
    while (at != stretches_.end() && at->first < end) {
        if (next < at->first) add(next, at->first, std::nullopt);
        add(at->first, at->second.end, at->second.owner);
        next = at->second.end;
        at = stretches_.erase(at);
    }
    if (next < end) add(next, end, std::nullopt);
    std::vector<uint64_t> seams{end};
    for (const auto& [first, stretch] : altered)
        seams.push_back(first);
    stretches_.merge(altered);
    for (const uint64_t seam : seams)
        join(seam);
}

void SubtreeMap::give(ChildId child, NodeRange nodes) {
    alter(nodes, [child](const std::optional<Owner>& before) -> std::optional<Owner> {
        return Owner{child, before && before->lost};
    });
}

void SubtreeMap::move(ChildId from, ChildId to, NodeRange nodes) {
    alter(nodes, [from, to](const std::optional<Owner>& before) {
        return before && before->child == from ? Owner{to, before->lost} : before;
    });
}

void SubtreeMap::release(ChildId child, NodeRange nodes) {
    alter(nodes, [child](const std::optional<Owner>& before) -> std::optional<Owner> {
        if (!before || before->child != child) return before;
        if (before->lost) return Owner{nobody, true};
        return std::nullopt;
    });
}

void SubtreeMap::lose(NodeRange nodes) {
    alter(nodes, [](const std::optional<Owner>& before) -> std::optional<Owner> {
        return Owner{before ? before->child : nobody, true};
    });
}

const SubtreeMap::Owner* SubtreeMap::find(NodeIndex node) const {
    const auto next = stretches_.upper_bound(node);
    if (next == stretches_.begin()) return nullptr;
    const Stretch& stretch = std::prev(next)->second;
    return node < stretch.end ? &stretch.owner : nullptr;
}

std::optional<SubtreeMap::ChildId> SubtreeMap::owner(NodeIndex node) const {
    const Owner* const found = find(node);
    if (found == nullptr || found->lost) return std::nullopt;
    return found->child;
}

std::optional<SubtreeMap::ChildId> SubtreeMap::last_owner(NodeIndex node) const {
    const Owner* const found = find(node);
    if (found == nullptr || found->child == nobody) return std::nullopt;
    return found->child;
}

bool SubtreeMap::is_lost(NodeIndex node) const {
    const Owner* const found = find(node);
    return found != nullptr && found->lost;
}

/// Neighbours joined.
template <class Is>
std::vector<NodeRange> SubtreeMap::stretches_that(const Is& is) const {
    std::vector<NodeRange> nodes;
    for (const auto& [begin, stretch] : stretches_) {
        if (!is(stretch.owner)) continue;
        const auto first = static_cast<NodeIndex>(begin);
        const auto count = static_cast<NodeIndex>(stretch.end - begin);
        append_nodes(nodes, {first, count});
    }
    return nodes;
}

std::vector<NodeRange> SubtreeMap::nodes_of(ChildId child) const {
    return stretches_that([child](const Owner& owner) { return owner == Owner{child}; });
}

std::vector<NodeRange> SubtreeMap::nodes_ever_of(ChildId child) const {
    return stretches_that([child](const Owner& owner) { return owner.child == child; });
}

std::vector<NodeRange> SubtreeMap::all() const {
    return stretches_that([](const Owner& owner) { return owner.child != nobody; });
}

void SubtreeMap::release_all(ChildId child) {
    release(child, {0, UINT32_MAX});
    release(child, {UINT32_MAX, 1});
}

NodeIndex SubtreeMap::count(ChildId child) const {
    NodeIndex count = 0;
    for (const NodeRange& range : nodes_of(child))
        count += range.count;
    return count;
}

}  // namespace launch
