// SPDX-License-Identifier: MIT
#include "tests/unit/modex/exchange/gathering.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace launch {
namespace {

/// More messages than any of these jobs needs.
constexpr uint64_t most_messages = 400'000;

}  // namespace

Gathering::Gathering(const Topology& topology, const NodeRanks& placed,
                     Simulation::Settings simulation, Settings settings)
    : settings_(settings),
      placed_(placed),
      random_(simulation.seed + 7),
      simulation_(topology, placed, simulation, *this),
      nodes_(placed.size()) {
    for (NodeIndex node = 0; !settings.late && node < nodes_.size(); ++node)
        open(node);
}

bool Gathering::speaks(NodeIndex node) const {
    return !placed_[node].empty() && !simulation_.lost(node) && !nodes_[node].exited;
}

bool Gathering::may_join(NodeIndex node) const {
    return speaks(node) && !nodes_[node].in_fence && nodes_[node].fences < settings_.rounds;
}

void Gathering::open(NodeIndex node) {
    if (std::exchange(nodes_[node].open, true) || simulation_.lost(node)) return;
    simulation_.open_peers(node);
}

/// The root, who may have asked for it, is the last: an order of its that counts on peers comes to
/// no node before these do.
void Gathering::open_late(NodeIndex node) {
    const bool others =
        std::all_of(nodes_.begin() + 1, nodes_.end(), [](const auto& each) { return each.open; });
    if (node != 0 || others) open(node);
}

std::string Gathering::contribution(NodeIndex node, uint32_t round) {
    if (below(4) == 0) return {};
    const bool large = below(1000) < settings_.large;
    const size_t size = random_() % (large ? settings_.largest : settings_.most);
    return "<" + std::to_string(node) + "." + std::to_string(round) + ":" + std::string(size, 'x') +
           ">";
}

void Gathering::join(NodeIndex index) {
    Node& node = nodes_[index];
    const uint32_t round = node.fences + 1;
    node.in_fence = true;
    node.said[round] = contribution(index, round);
    EXPECT_TRUE(simulation_.at(index).join_all(node.said[round], collects(round)));
}

void Gathering::exit(NodeIndex node) {
    nodes_[node].exited = true;
    for (const uint32_t rank : placed_[node])
        simulation_.exit(rank);
}

void Gathering::disturb() {
    if (cuts_ < settings_.cuts && below(40) == 0) {
        ++cuts_;
        simulation_.cut_peers(any(), any());
    }
    const NodeIndex node = any();
    if (exits_ < settings_.exits && below(40) == 0 && may_join(node)) {
        ++exits_;
        exit(node);
    }
    const NodeIndex lost = any();
    if (losses_ < settings_.losses && below(40) == 0 && lost != 0 && !simulation_.lost(lost)) {
        ++losses_;
        simulation_.lose(lost);
    }
}

void Gathering::run() {
    for (;;) {
        disturb();
        if (below(3) == 0) open_late(any());
        const NodeIndex node = any();
        const bool joins = may_join(node);
        if (joins) join(node);
        bool moved = false;
        for (uint32_t i = below(6); i > 0; --i)
            moved = simulation_.step() || moved;
        bool waits = false;
        for (NodeIndex each = 0; each < nodes_.size(); ++each)
            waits = waits || may_join(each);
        if (!joins && !moved && !waits && !simulation_.step()) break;
        ASSERT_LT(traffic().messages, most_messages);
    }
    for (NodeIndex each = 0; each < nodes_.size(); ++each) {
        if (speaks(each)) {
            EXPECT_EQ(nodes_[each].fences, settings_.rounds) << "node " << each;
        }
    }
    EXPECT_EQ(traffic().refused, 0U);
}

void Gathering::fence_done(NodeIndex node, Channel channel, const std::string& blob) {
    EXPECT_EQ(channel, Channel::blobs);
    if (!speaks(node)) return;
    EXPECT_TRUE(nodes_[node].in_fence) << "node " << node << " is let out twice";
    nodes_[node].in_fence = false;
    const uint32_t round = ++nodes_[node].fences;
    SCOPED_TRACE("node " + std::to_string(node) + " fence " + std::to_string(round));
    if (!collects(round)) {
        EXPECT_EQ(blob, "");
    } else {
        check(round, blob);
    }
}

/// Of all who live, of nobody twice, and of no other fence.
void Gathering::check(uint32_t round, const std::string& blob) const {
    size_t known = 0;
    for (NodeIndex other = 0; other < nodes_.size(); ++other) {
        const auto said = nodes_[other].said.find(round);
        EXPECT_TRUE(!speaks(other) || said != nodes_[other].said.end()) << other << " is not in";
        if (said == nodes_[other].said.end() || said->second.empty()) continue;
        const bool in = blob.find(said->second) != std::string::npos;
        EXPECT_TRUE(in || simulation_.lost(other)) << "of " << other << " there is nothing";
        if (in) known += said->second.size();
    }
    EXPECT_EQ(blob.size(), known);
}

void Gathering::fence_broken(uint32_t, uint32_t) {
    ADD_FAILURE() << "a fence is broken";
}

}  // namespace launch
