// SPDX-License-Identifier: MIT
#include "core/head/host_record.hpp"

#include <algorithm>

namespace launch {

void HostRecord::know(NodeIndex node, State state) {
    states_[node - 1] = state;
    while (first_unknown_ <= states_.size() && states_[first_unknown_ - 1] != State::unknown)
        ++first_unknown_;
}

NodeIndex HostRecord::add(const std::vector<Host>& hosts) {
    const NodeIndex first = count() + 1;
    hosts_.insert(hosts_.end(), hosts.begin(), hosts.end());
    states_.resize(hosts_.size(), State::unknown);
    return first;
}

void HostRecord::reuse(NodeIndex node, Host host) {
    hosts_[node - 1] = std::move(host);
    states_[node - 1] = State::unknown;
    first_unknown_ = std::min(first_unknown_, node);
}

void HostRecord::leaves(NodeIndex node) {
    if (has(node)) know(node, State::leaves);
}

void HostRecord::left(NodeIndex node) {
    if (has(node)) know(node, State::failed);
}

std::vector<NodeIndex> HostRecord::up(std::vector<NodeIndex> nodes) {
    std::erase_if(
        nodes, [this](NodeIndex node) { return !has(node) || states_[node - 1] == State::failed; });
    for (const NodeIndex node : nodes)
        if (states_[node - 1] == State::unknown) know(node, State::up);
    return nodes;
}

void HostRecord::failed(const FailureMessage& failure) {
    if (!has(failure.node)) return;
    know(failure.node, State::failed);
    for (const NodeRange& range : failure.below)
        for (NodeIndex i = 0; i < range.count && has(range.first + i); ++i)
            know(range.first + i, State::failed);
}

std::optional<FailureMessage> HostRecord::news_of(const FailureMessage& failure) const {
    if (failure.node == 0) return failure;  // of the head itself, which tells nothing twice
    if (!has(failure.node)) return std::nullopt;
    return failure.only([this](NodeRange range) {
        std::vector<NodeRange> news;
        for (NodeIndex i = 0; i < range.count && has(range.first + i); ++i) {
            const NodeIndex node = range.first + i;
            const State known = states_[node - 1];
            const bool is_news = known != State::failed && known != State::leaves;
            if (is_news) append_nodes(news, {node, 1});
        }
        return news;
    });
}

std::vector<NodeIndex> HostRecord::unknown() const {
    std::vector<NodeIndex> nodes;
    for (NodeIndex node = 1; node <= states_.size(); ++node)
        if (states_[node - 1] == State::unknown) nodes.push_back(node);
    return nodes;
}

std::string HostRecord::name_of(NodeIndex node) const {
    if (node == 0) return "the head";
    return has(node) ? hosts_[node - 1].name : "";
}

}  // namespace launch
