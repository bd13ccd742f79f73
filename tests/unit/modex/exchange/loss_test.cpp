// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <set>

#include "tests/unit/modex/exchange/jobs.hpp"
#include "tests/unit/modex/exchange/simulation.hpp"

namespace launch {
namespace {

using Group = std::vector<uint32_t>;
using Verb = NameAsk::Verb;

constexpr uint32_t rounds = 5;
/// So many that their ends are forgotten meanwhile.
constexpr uint32_t group_rounds = 2 * GroupFences::over_step;
/// More than any of these jobs needs: nodes ask each other for ever.
constexpr uint64_t most_messages = 200'000;

/// A job whose nodes do what PMIx asks for, round after round, each in its own time, while some of
/// them are lost: a fence of all, fences of groups, and a name that is published, looked up and
/// taken back. What the nodes are told is held against what they may be told.
class Mourners : public SimulationEvents {
  public:
    /// `padding`: bytes that each contributes to a group besides.
    Mourners(const Topology& topology, const NodeRanks& placed, Simulation::Settings settings,
             size_t padding = 0)
        : placed_(placed),
          padding_(padding),
          random_(settings.seed),
          simulation_(topology, placed, healing(settings), *this),
          nodes_(placed.size()) {
        uint32_t ranks = 0;
        for (const auto& node : placed)
            ranks += static_cast<uint32_t>(node.size());
        for (uint32_t i = 0; i < 3; ++i)
            add_group(ranks);
        for (NodeIndex node = 0; node < placed.size(); node += 2)
            if (alive(node)) simulation_.at(node).watch_deaths();
        losses_ = placed.size() > 1 ? 1 + below(6) : 0;
    }

    void run() {
        for (;;) {
            lose_one();
            const auto node = static_cast<NodeIndex>(below(static_cast<uint32_t>(nodes_.size())));
            const bool acted = alive(node) && act(node);
            bool moved = false;
            for (uint32_t i = below(5); i > 0; --i)
                moved = simulation_.step() || moved;
            if (!acted && !moved && !anybody_acts() && !simulation_.step()) break;
            ASSERT_LT(simulation_.traffic().messages, most_messages);
        }
        check_end();
    }

    uint64_t largest_message() const { return simulation_.traffic().largest; }

    void fence_done(NodeIndex node, Channel channel, const std::string& blob) override {
        EXPECT_EQ(channel, Channel::blobs);
        if (!alive(node)) return;
        const uint32_t round = ++nodes_[node].fences;
        nodes_[node].in_fence = false;
        for (NodeIndex other = 0; other < nodes_.size(); ++other)
            if (alive(other)) expect_in(blob, part(other, round));
    }
    void group_done(NodeIndex node, const Group& group, const std::string& blob) override {
        const size_t which = which_group(group);
        auto& member = nodes_[node].groups[which];
        EXPECT_TRUE(member.waits) << "node " << node << " is told twice";
        member.waits = false;
        ++member.done;
        for (NodeIndex other = 0; other < nodes_.size(); ++other)
            if (alive(other) && is_member(other, group)) expect_whole(blob, other, member.done);
    }
    void answered(uint64_t ticket, bool found, const std::string& value) override {
        const auto asked = asked_.find(ticket);
        ASSERT_NE(asked, asked_.end()) << "answered twice";
        const auto [node, verb] = asked->second;
        asked_.erase(asked);
        Names& names = nodes_[node].names;
        names.waits = false;
        EXPECT_EQ(found, names.done % 4 != 3) << "node " << node << " step " << names.done;
        if (names.done % 4 == 1) {
            EXPECT_EQ(value, part(node, names.done));
        }
        ++names.done;
    }
    void ranks_died(NodeIndex node, const std::vector<uint32_t>& ranks) override {
        EXPECT_EQ(node % 2, 0U);
        for (const uint32_t rank : ranks) {
            EXPECT_TRUE(nodes_[node].dead.insert(rank).second) << "told twice of " << rank;
            EXPECT_TRUE(simulation_.lost(simulation_.node_of(rank))) << rank << " lives";
        }
    }
    void fence_broken(uint32_t, uint32_t) override { ADD_FAILURE() << "a fence is broken"; }

  private:
    struct Member {
        bool waits = false;
        uint32_t done = 0;
    };
    using Names = Member;
    struct Node {
        bool in_fence = false;
        uint32_t fences = 0;
        std::map<size_t, Member> groups;
        Names names;
        std::set<uint32_t> dead;  ///< as it was told
    };

    static Simulation::Settings healing(Simulation::Settings settings) {
        settings.absent_is_fatal = false;
        settings.heals = true;
        return settings;
    }
    uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
    /// With ranks, that is: others do nothing.
    bool alive(NodeIndex node) const { return !placed_[node].empty() && !simulation_.lost(node); }
    static std::string part(NodeIndex node, uint32_t round) {
        return "<" + std::to_string(node) + "." + std::to_string(round) + ">";
    }
    static void expect_in(const std::string& blob, const std::string& part) {
        const size_t at = blob.find(part);
        EXPECT_NE(at, std::string::npos) << part << " is not in " << blob;
        EXPECT_EQ(blob.rfind(part), at) << part << " is twice in " << blob;
    }
    std::string to_group(NodeIndex node, uint32_t round) const {
        const char filler = static_cast<char>('a' + (7 * node + round) % 26);
        return part(node, round) + std::string(padding_, filler);
    }
    void expect_whole(const std::string& blob, NodeIndex node, uint32_t round) const {
        const std::string own = part(node, round);
        const std::string all = to_group(node, round);
        const size_t at = blob.find(own);
        ASSERT_NE(at, std::string::npos) << own << " has not come";
        EXPECT_EQ(blob.find(own, at + 1), std::string::npos) << own << " has come twice";
        EXPECT_TRUE(blob.compare(at, all.size(), all) == 0) << own << " is followed by others";
    }
    void add_group(uint32_t ranks) {
        Group group;
        for (uint32_t rank = 0; rank < ranks; ++rank)
            if (below(2) == 0) group.push_back(rank);
        const bool known = which_group(group) < groups_.size();
        if (known || group.empty()) group.assign(1, 0);
        if (which_group(group) == groups_.size()) groups_.push_back(group);
    }
    bool is_member(NodeIndex node, const Group& group) const {
        return std::any_of(placed_[node].begin(), placed_[node].end(), [&](uint32_t rank) {
            return std::binary_search(group.begin(), group.end(), rank);
        });
    }
    size_t which_group(const Group& group) const {
        return static_cast<size_t>(std::find(groups_.begin(), groups_.end(), group) -
                                   groups_.begin());
    }

    void lose_one() {
        if (losses_ == 0 || below(40) > 0) return;
        const NodeIndex node = 1 + below(static_cast<uint32_t>(nodes_.size()) - 1);
        if (simulation_.lost(node)) return;
        --losses_;
        simulation_.lose(node);
        const NodeIndex parent = simulation_.parent(node);
        if (losses_ == 0 || parent == 0 || simulation_.lost(parent) || below(3) > 0) return;
        --losses_;
        simulation_.lose(parent);
    }

    bool may_fence(const Node& node) const { return !node.in_fence && node.fences < rounds; }
    bool may_join(NodeIndex node, size_t group) {
        const Member& member = nodes_[node].groups[group];
        return is_member(node, groups_[group]) && !member.waits && member.done < group_rounds;
    }
    bool may_ask(const Node& node) const { return !node.names.waits && node.names.done < 8; }
    bool anybody_acts() {
        for (NodeIndex node = 0; node < nodes_.size(); ++node) {
            if (!alive(node)) continue;
            if (may_fence(nodes_[node]) || may_ask(nodes_[node])) return true;
            for (size_t group = 0; group < groups_.size(); ++group)
                if (may_join(node, group)) return true;
        }
        return false;
    }
    bool act(NodeIndex index) {
        Node& node = nodes_[index];
        Exchange& exchange = simulation_.at(index);
        const size_t group = below(static_cast<uint32_t>(groups_.size()));
        const uint32_t drawn = below(3);
        if (drawn == 0 && may_fence(node)) {
            node.in_fence = true;
            EXPECT_TRUE(exchange.join_all(part(index, node.fences + 1), true));
        } else if (drawn == 1 && may_join(index, group)) {
            Member& member = node.groups[group];
            member.waits = true;
            exchange.join_group(groups_[group], to_group(index, member.done + 1));
        } else if (drawn == 2 && may_ask(node)) {
            ask(index);
        } else {
            return false;
        }
        return true;
    }
    void ask(NodeIndex index) {
        constexpr std::array verbs{Verb::publish, Verb::await, Verb::unpublish, Verb::lookup};
        Names& names = nodes_[index].names;
        const Verb verb = verbs.at(names.done % 4);
        const std::string value = part(index, names.done + 1);
        names.waits = true;
        asked_[++ticket_] = {index, verb};
        simulation_.at(index).name(verb, ticket_, "name of " + std::to_string(index), value);
    }

    void check_end() {
        std::set<uint32_t> dead;
        for (NodeIndex node = 0; node < nodes_.size(); ++node)
            if (simulation_.lost(node)) dead.insert(placed_[node].begin(), placed_[node].end());
        for (NodeIndex node = 0; node < nodes_.size(); ++node) {
            if (simulation_.lost(node)) continue;
            const Node& each = nodes_[node];
            if (!alive(node)) continue;
            EXPECT_EQ(each.dead, node % 2 == 0 ? dead : std::set<uint32_t>()) << "node " << node;
            EXPECT_EQ(each.fences, rounds) << "node " << node;
            EXPECT_EQ(each.names.done, 8U) << "node " << node;
            for (const auto& [group, member] : each.groups)
                EXPECT_EQ(member.done, is_member(node, groups_[group]) ? group_rounds : 0U)
                    << "node " << node;
        }
        EXPECT_EQ(simulation_.traffic().refused, 0U);
    }

    const NodeRanks placed_;
    const size_t padding_;
    std::mt19937 random_;
    Simulation simulation_;
    std::vector<Node> nodes_;
    std::vector<Group> groups_;
    std::map<uint64_t, std::pair<NodeIndex, Verb>> asked_;
    uint64_t ticket_ = 0;
    uint32_t losses_ = 0;
};

TEST(ExchangeLoss, blobs_groups_names_and_deaths_go_on_without_nodes_that_are_lost) {
    for_each_job(60, [](const Topology& topology, const NodeRanks& placed, const auto& settings) {
        Mourners job(topology, placed, settings);
        job.run();
    });
}

TEST(ExchangeLoss, what_groups_share_in_parts_is_whole) {
    const auto run = [](const Topology& topology, const NodeRanks& placed, const auto& settings) {
        Mourners job(topology, placed, settings, 40'000);
        job.run();
        EXPECT_LT(job.largest_message(), 2 * PieceBatch::limit);
    };
    for_each_job(3, run, 1);
}

}  // namespace
}  // namespace launch
