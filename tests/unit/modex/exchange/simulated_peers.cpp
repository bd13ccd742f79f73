// SPDX-License-Identifier: MIT
#include "tests/unit/modex/exchange/simulated_peers.hpp"

namespace launch {

void SimulatedPeers::push(const Link& link, std::optional<std::string> message) {
    auto& queue = on_way_[link];
    if (queue.empty()) busy_.push_back(link);
    queue.push_back(std::move(message));
}

void SimulatedPeers::send(NodeIndex from, NodeIndex to, std::string message) {
    if (!cut_.contains({from, to})) push({from, to}, std::move(message));
}

SimulatedPeers::Delivery SimulatedPeers::take(size_t drawn) {
    const Link link = busy_[drawn];
    auto& queue = on_way_[link];
    Delivery delivery{link.first, link.second, std::move(queue.front())};
    queue.pop_front();
    if (queue.empty()) {
        busy_[drawn] = busy_.back();
        busy_.pop_back();
    }
    return delivery;
}

void SimulatedPeers::keep_some(const Link& link, std::mt19937& random) {
    cut_.insert(link);
    auto& queue = on_way_[link];
    if (queue.empty()) return;
    queue.resize(random() % (queue.size() + 1));
    if (queue.empty()) std::erase(busy_, link);
}

void SimulatedPeers::cut(NodeIndex one, NodeIndex other, std::mt19937& random) {
    if (one == other || cut_.contains({one, other})) return;
    keep_some({one, other}, random);
    keep_some({other, one}, random);
    const auto who = random() % 3;
    if (who != 0) push({one, other}, std::nullopt);
    if (who != 1) push({other, one}, std::nullopt);
}

void SimulatedPeers::lose(NodeIndex node, NodeIndex nodes, std::mt19937& random) {
    const auto share = random() % 4;
    for (NodeIndex other = 0; other < nodes; ++other) {
        if (other == node) continue;
        keep_some({node, other}, random);
        keep_some({other, node}, random);
        if (random() % 3 < share) push({node, other}, std::nullopt);
    }
}

}  // namespace launch
