// SPDX-License-Identifier: MIT
// How nodes of a simulation are lost, and how the tree mends itself.

#include <algorithm>
#include <cassert>

#include "tests/unit/modex/exchange/simulation.hpp"

namespace launch {

void Simulation::lose(NodeIndex node) {
    assert(node != 0);
    Node& lost = *nodes_[node];
    lost.dead = true;
    mending_ = true;
    keep({node, true}, random_() % (lost.up.size() + 1));
    keep({node, false}, 0);
    peers_.lose(node, static_cast<NodeIndex>(nodes_.size()), random_);
    for (const auto& each : nodes_) {
        if (each->parent != node || each->index == 0) continue;
        each->cut = true;
        keep({each->index, true}, 0);
        keep({each->index, false}, random_() % (each->down.size() + 1));
    }
}

/// A dead node says nothing, nor is it told; an orphan's words are lost.
bool Simulation::vanishes(const Lane& lane) const {
    const Node& node = *nodes_[lane.node];
    return node.dead || (lane.up ? node.cut : nodes_[node.parent]->dead);
}

/// All but the first packets on that link are lost.
void Simulation::keep(const Lane& lane, size_t packets) {
    auto& on_way = queue(lane);
    if (on_way.empty()) return;
    on_way.erase(std::next(on_way.begin(), static_cast<std::ptrdiff_t>(packets)), on_way.end());
    if (on_way.empty()) std::erase(busy_, lane);
}

bool Simulation::orphaned(NodeIndex node) const {
    return node != 0 && !nodes_[node]->dead && nodes_[nodes_[node]->parent]->dead;
}

NodeIndex Simulation::nearest_alive(NodeIndex node) const {
    NodeIndex ancestor = nodes_[node]->parent;
    while (nodes_[ancestor]->dead)
        ancestor = nodes_[ancestor]->parent;
    return ancestor;
}

/// One step of it, drawn at random. False: there is none, the tree is whole again.
bool Simulation::mend() {
    std::vector<std::function<void()>> steps;
    for (const auto& node : nodes_) {
        if (node->dead) continue;
        if (orphaned(node->index)) steps.emplace_back([&] { attach(node->index); });
        for (auto at = node->subtrees.begin(); at != node->subtrees.end(); ++at) {
            if (nodes_[at->child]->dead && all_below_dead(*at))
                steps.emplace_back([&, at] { give_up(node->index, at); });
        }
    }
    mending_ = !steps.empty();
    if (mending_) steps[random_() % steps.size()]();
    return mending_;
}

std::vector<std::vector<RankRun>> Simulation::runs_of_nodes(
    const std::set<NodeIndex>& nodes) const {
    std::vector<std::vector<RankRun>> runs;
    runs.reserve(nodes.size());
    for (const NodeIndex node : nodes)
        runs.push_back(runs_of(placed_[node]));
    return runs;
}

/// The orphan dials, and the ancestor takes it out of what it took for below another child. The
/// orphan learns of it by the first packet on the new link.
void Simulation::attach(NodeIndex node) {
    Node& orphan = *nodes_[node];
    Node& ancestor = *nodes_[nearest_alive(node)];
    keep({node, false}, 0);
    auto& subtrees = ancestor.subtrees;
    const auto whole = std::find_if(subtrees.begin(), subtrees.end(),
                                    [&](const Subtree& each) { return each.nodes.contains(node); });
    Subtree part{node, {}};
    for (const NodeIndex below : orphan.block) {
        if (whole->nodes.erase(below) > 0) part.nodes.insert(below);
    }
    orphan.parent = ancestor.index;
    send({node, false}, {{}, std::nullopt, false, true});
    ancestor.exchange.split_child(whole->child, node, runs_of_nodes(part.nodes),
                                  runs_of_nodes(whole->nodes));
    subtrees.push_front(std::move(part));
}

void Simulation::attached(NodeIndex node) {
    Node& orphan = *nodes_[node];
    orphan.cut = nodes_[orphan.parent]->dead;
    orphan.exchange.new_parent();
    for (const auto& [rank, lost] : orphan.gone)
        send({node, true}, {{}, rank, lost});
}

bool Simulation::all_below_dead(const Subtree& subtree) const {
    return std::all_of(subtree.nodes.begin(), subtree.nodes.end(),
                       [this](NodeIndex node) { return nodes_[node]->dead; });
}

void Simulation::give_up(NodeIndex node, std::list<Subtree>::iterator subtree) {
    std::vector<uint32_t> ranks;
    for (const NodeIndex below : subtree->nodes)
        ranks.insert(ranks.end(), placed_[below].begin(), placed_[below].end());
    const NodeIndex child = subtree->child;
    keep({child, true}, 0);
    nodes_[node]->subtrees.erase(subtree);
    for (const uint32_t rank : ranks)
        news(node, rank, true);
    at(node).lose_child(child, ranks);
}

}  // namespace launch
