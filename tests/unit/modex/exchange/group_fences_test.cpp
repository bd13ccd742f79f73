// SPDX-License-Identifier: MIT
#include <algorithm>

#include "modex/exchange/exchange.hpp"
#include "tests/unit/modex/exchange/jobs.hpp"
#include "tests/unit/modex/exchange/kept.hpp"
#include "tests/unit/modex/exchange/recorder.hpp"

namespace launch {
namespace {

TEST(GroupFences, a_group_of_ranks_fences_alone) {
    for_each_job(5, [](const Topology& topology, const NodeRanks& placed, const auto& settings) {
        Recorder told;
        Simulation simulation(topology, placed, settings, told);
        std::vector<uint32_t> group;
        for (const auto& node : placed) {
            for (const uint32_t rank : node) {
                if (simulation.random()() % 2 == 0) group.push_back(rank);
            }
        }
        std::sort(group.begin(), group.end());
        std::vector<NodeIndex> members;
        for (NodeIndex node = 0; node < placed.size(); ++node) {
            const bool in = std::any_of(placed[node].begin(), placed[node].end(), [&](uint32_t r) {
                return std::binary_search(group.begin(), group.end(), r);
            });
            if (in) members.push_back(node);
        }
        for (const NodeIndex node : members) {
            EXPECT_TRUE(told.groups.empty());
            simulation.at(node).join_group(group, "x");
            if (node != members.back()) simulation.run();
        }
        simulation.run();
        EXPECT_EQ(told.groups.size(), members.size());
        for (const auto& [node, blob] : told.groups)
            EXPECT_EQ(blob, std::string(members.size(), 'x'));
    });
}

/// Four nodes with two ranks each below a root without one; rank 3 has exited before the fence.
struct GroupWithout3 {
    explicit GroupWithout3(bool absent_is_fatal)
        : simulation(*make_kary(2), block_placement({0, 2, 2, 2, 2}),
                     {.absent_is_fatal = absent_is_fatal}, told) {}
    void join(uint32_t rank) {
        simulation.of(rank).join_group(group, std::to_string(rank));
        simulation.run();
    }

    const std::vector<uint32_t> group = {1, 3, 4, 5};
    Recorder told;
    Simulation simulation;
};

TEST(GroupFences, a_group_s_member_that_exited_breaks_its_fence_once) {
    GroupWithout3 job(true);
    job.simulation.exit(3);
    job.join(1);
    EXPECT_TRUE(job.told.broken.empty());
    job.join(4);
    EXPECT_EQ(job.told.broken, (std::vector<std::pair<uint32_t, uint32_t>>{{3, 1}}));
    job.simulation.exit(0);
    EXPECT_EQ(job.told.broken.size(), 1U);
    EXPECT_TRUE(job.told.groups.empty());
}

TEST(GroupFences, a_group_s_member_may_exit_while_the_others_wait) {
    GroupWithout3 job(true);
    job.join(1);
    job.join(4);
    EXPECT_TRUE(job.told.broken.empty());
    job.simulation.exit(3);
    job.simulation.run();
    EXPECT_EQ(job.told.broken.size(), 1U);
}

TEST(GroupFences, a_group_goes_on_without_a_member_that_died) {
    GroupWithout3 job(false);
    job.simulation.exit(3);
    job.join(1);
    EXPECT_TRUE(job.told.groups.empty());
    job.simulation.exit(1);  // it has joined: its part counts
    job.join(4);
    EXPECT_EQ(job.told.groups, (std::map<NodeIndex, std::string>{{1, "14"}, {2, "14"}, {3, "14"}}));
    EXPECT_TRUE(job.told.broken.empty());
    job.told.groups.clear();
    job.join(4);  // the next fence of the same group; 1 and 3 are gone
    EXPECT_EQ(job.told.groups.size(), 3U);
    EXPECT_EQ(job.simulation.traffic().refused, 0U);
}

TEST(GroupFences, of_a_group_s_local_members_only_those_alive_join) {
    GroupWithout3 job(true);
    job.simulation.exit(5);
    job.join(4);
    job.join(1);
    job.join(3);
    EXPECT_EQ(job.told.broken, (std::vector<std::pair<uint32_t, uint32_t>>{{5, 1}}));
}

using Group = std::vector<uint32_t>;

/// Those ranks whose bits are set.
Group group_of(uint32_t bits) {
    Group group;
    for (uint32_t rank = 0; bits >> rank != 0; ++rank)
        if ((bits >> rank & 1U) != 0) group.push_back(rank);
    return group;
}

TEST(GroupFences, ends_are_kept_until_all_nodes_have_heard_of_them) {
    for (const auto& topology : {make_kary(2), make_chain(), make_kary(32)}) {
        Recorder told;
        Simulation simulation(*topology, block_placement({0, 2, 1, 2, 2, 1, 1}), {.heals = true},
                              told);
        for (uint32_t bits = 1; bits < 512; ++bits) {
            const Group group = group_of(bits);
            std::set<NodeIndex> members;
            for (const uint32_t rank : group)
                members.insert(simulation.node_of(rank));
            for (const NodeIndex node : members)
                simulation.at(node).join_group(group, "x");
            simulation.run();
            EXPECT_EQ(std::exchange(told.groups, {}).size(), members.size());
            EXPECT_LT(simulation.at(0).kept_group_ends(), GroupFences::over_step);
        }
        EXPECT_GT(simulation.at(0).kept_group_ends(), 0U);
    }
}

/// One node of a job in which nodes may be lost: the root, or one with the ranks 1 and 2.
struct HealingGroups {
    explicit HealingGroups(bool root)
        : state({9, root ? Group{} : Group{1, 2}, root, false, true}, sink) {}
    void add_child(NodeIndex child, const Group& ranks) {
        state.children[child].ranks = state.routes.add(child, {runs_of(ranks)});
    }
    bool up(NodeIndex child, const Group& group, uint64_t after = 0) {
        const BlobsUp load{true, true, 1, 0, false, {{group.front(), 0, 1, "x"}}};
        const auto counted = static_cast<uint32_t>(group.size());
        return fences.from_child(child, {group, after, counted, 0, 0, load});
    }
    std::vector<uint64_t> told_over() const {
        std::vector<uint64_t> numbers;
        for (const ExchangeMessage& message : sink.up)
            if (const auto* over = std::get_if<GroupsOver>(&message))
                numbers.push_back(over->number);
        return numbers;
    }
    /// Fences of others end.
    void hear(uint64_t first, uint64_t last) {
        for (uint64_t number = first; number <= last; ++number)
            EXPECT_TRUE(fences.from_parent({{7, 8}, number, BlobsDown{}}));
    }
    std::vector<uint64_t> ends() const {
        std::vector<uint64_t> numbers;
        for (const auto& [child, message] : sink.down)
            numbers.push_back(std::get<FenceDown>(message).number);
        return numbers;
    }

    Kept sink;
    ExchangeState state;
    GroupFences fences{state};
};

/// The root, and a child with most ranks: as many fences of one of them as are kept have ended.
struct HealingRoot : HealingGroups {
    HealingRoot() : HealingGroups(true) {
        add_child(1, {0, 1, 2, 3, 4, 5, 6, 7});
        add_child(6, {8});
        for (uint32_t rank = 0; rank < GroupFences::over_step; ++rank)
            EXPECT_TRUE(up(1, {rank}));
        EXPECT_EQ(fences.kept(), GroupFences::over_step);
        sink.down.clear();
    }
};

TEST(GroupFences, the_root_tells_a_lost_end_again_until_nobody_can_ask) {
    HealingRoot root;
    EXPECT_TRUE(root.up(1, {2}));
    EXPECT_EQ(root.ends(), (std::vector<uint64_t>{3}));
    root.fences.over_at(1, {GroupFences::over_step});
    EXPECT_EQ(root.fences.kept(), GroupFences::over_step);
    root.fences.over_at(6, {GroupFences::over_step});
    EXPECT_EQ(root.fences.kept(), 0U);
    root.sink.down.clear();
    EXPECT_TRUE(root.up(1, {2}, GroupFences::over_step));
    EXPECT_EQ(root.ends(), (std::vector<uint64_t>(2, GroupFences::over_step + 1)));
}

TEST(GroupFences, ranks_that_there_are_not_and_strangers_are_refused) {
    HealingGroups root(true);
    root.add_child(1, {0, 1, 5});
    root.add_child(6, {2, 3});
    EXPECT_FALSE(root.fences.from_child(1, {{}, 0, 0, 0, 0, BlobsUp{}}));
    EXPECT_FALSE(root.up(1, {1, 9}));
    EXPECT_FALSE(root.up(6, {1, 5}));
    EXPECT_TRUE(root.up(1, {1, 5}));
    EXPECT_EQ(root.ends(), (std::vector<uint64_t>{1, 1})) << "all hear of each number";
    EXPECT_FALSE(root.fences.from_parent({{1, 9}, 2, BlobsDown{}}));
}

TEST(GroupFences, who_is_lost_is_not_waited_for) {
    HealingRoot root;
    root.fences.over_at(1, {GroupFences::over_step});
    root.state.children.erase(6);
    root.fences.advance();
    EXPECT_EQ(root.fences.kept(), 0U);
}

TEST(GroupFences, an_open_fence_keeps_no_others_ends) {
    HealingGroups node(false);
    node.fences.join({1, 5}, "x", {});
    node.hear(1, 3 * GroupFences::over_step + 1);
    EXPECT_EQ(node.told_over(),
              (std::vector<uint64_t>{GroupFences::over_step, 2 * GroupFences::over_step,
                                     3 * GroupFences::over_step}));
}

TEST(GroupFences, who_may_have_missed_an_end_says_so_until_it_is_told) {
    HealingGroups node(false);
    node.fences.join({1, 5}, "x", {});
    node.hear(1, 3);
    node.hear(6, 40);  // 4 and 5 were lost; one of them is of {1, 5}
    EXPECT_EQ(node.told_over(), std::vector<uint64_t>{});
    node.fences.new_parent();
    EXPECT_EQ(node.sink.up.size(), 2U);
    EXPECT_TRUE(node.fences.from_parent({{1, 5}, 5, BlobsDown{}}));
    EXPECT_EQ(node.told_over(), (std::vector<uint64_t>{40}));
}

TEST(GroupFences, a_subtree_is_as_far_as_its_last) {
    HealingGroups node(false);
    node.add_child(3, {3});
    node.hear(1, 40);
    EXPECT_EQ(node.told_over(), std::vector<uint64_t>{});
    node.fences.over_at(3, {16});
    EXPECT_EQ(node.told_over(), (std::vector<uint64_t>{16}));
    node.fences.new_parent();  // another parent knows nothing of it
    EXPECT_EQ(node.told_over(), (std::vector<uint64_t>{16, 16}));
}

TEST(GroupFences, only_who_has_members_below_is_told_where_no_node_can_be_lost) {
    Kept sink;
    ExchangeState state({9, {}, true, false, false}, sink);
    GroupFences fences(state);
    for (const NodeIndex child : {1U, 2U, 3U})
        state.children[child].ranks = state.routes.add(child, {{{2 * child, 2, 1}}});
    EXPECT_TRUE(fences.from_child(1, {{2, 6}, 0, 1, 0, 0, BlobsUp{}}));
    EXPECT_TRUE(sink.down.empty());
    EXPECT_TRUE(fences.from_child(3, {{2, 6}, 0, 1, 0, 0, BlobsUp{}}));
    ASSERT_EQ(sink.down.size(), 2U);
    EXPECT_EQ(sink.down[0].first, 1U);
    EXPECT_EQ(sink.down[1].first, 3U);
    EXPECT_EQ(fences.kept(), 0U);
}

/// Three hosts in a row below the root, with ranks 1, 2 and 3. The third came to the first by
/// itself; the second comes to the root, which believes that it has brought the third along.
struct BelievedBelow {
    using Runs = std::vector<std::vector<RankRun>>;

    explicit BelievedBelow(std::vector<uint32_t> group)
        : members(group.size() == 4 ? Members{} : std::move(group)) {
        exchange.add_child(1, Runs{{{1, 1, 1}}, {{2, 1, 1}}, {{3, 1, 1}}});
        if (members.empty())
            exchange.join_all("0", true);
        else
            exchange.join_group(members, "0");
        exchange.split_child(1, 2, Runs{{{2, 1, 1}}, {{3, 1, 1}}}, Runs{{{1, 1, 1}}});
    }
    bool says(NodeIndex child, uint32_t counted) {
        return exchange.from_child(child,
                                   encode(FenceUp{members, 0, counted, 0, 0, BlobsUp{true, true}}));
    }
    void is_told_where_the_third_is() {
        exchange.release_child(2, Runs{{{3, 1, 1}}}, Runs{{{2, 1, 1}}});
        exchange.widen_child(1, Runs{{{1, 1, 1}}, {{3, 1, 1}}});
    }
    bool has_ended() const { return !kept.down.empty(); }

    Members members;
    Kept kept;
    Exchange exchange{{4, {0}, true, true, true}, ModexChoice::automatic, kept};
};

/// All of its ranks had joined before it was believed elsewhere, and it asks for nothing again.
TEST(TreeFence, a_child_gets_the_end_that_came_while_it_was_believed_elsewhere) {
    using Runs = std::vector<std::vector<RankRun>>;
    for (const bool with_cards : {true, false}) {
        Kept kept;
        Exchange exchange{{3, {}, false, true, true}, ModexChoice::automatic, kept};
        exchange.add_child(1, Runs{{{0, 1, 1}}});
        exchange.add_child(2, Runs{{{1, 1, 1}}});
        const LoadUp up = with_cards ? LoadUp{CardsUp{}} : LoadUp{BlobsUp{true, true}};
        for (const NodeIndex child : {1U, 2U})
            ASSERT_TRUE(exchange.from_child(child, encode(FenceUp{{}, 0, 1, 0, 0, up, true})));
        exchange.release_child(2, Runs{{{1, 1, 1}}}, {});
        const LoadDown down = with_cards ? LoadDown{CardsDown{}} : LoadDown{BlobsDown{}};
        ASSERT_TRUE(exchange.from_parent(encode(FenceDown{{}, 1, down, true})));
        const auto told = [&](NodeIndex node) {
            return std::count_if(kept.down.begin(), kept.down.end(),
                                 [node](const auto& each) { return each.first == node; });
        };
        EXPECT_EQ(told(1), 1);
        EXPECT_EQ(told(2), 0);
        exchange.widen_child(2, Runs{{{1, 1, 1}}});
        EXPECT_EQ(told(1), 1);
        EXPECT_EQ(told(2), 1) << (with_cards ? "cards" : "values");
    }
}

/// Rank 1 joins, and its host comes back, after the node had reported without it.
TEST(TreeFence, what_a_child_brings_that_was_believed_elsewhere_goes_up_too) {
    using Runs = std::vector<std::vector<RankRun>>;
    for (const bool of_group : {true, false}) {
        const Members members = of_group ? Members{0, 1, 2} : Members{};
        Kept kept;
        Exchange exchange{{3, {}, false, true, true}, ModexChoice::automatic, kept};
        exchange.add_child(1, Runs{{{0, 1, 1}}});
        exchange.add_child(2, Runs{{{1, 1, 1}}});
        const auto joins = [&](NodeIndex child, const std::string& brings) {
            BlobsUp up{true, true, brings.size()};
            up.pieces = {{child - 1, 0, brings.size(), brings}};
            return exchange.from_child(child, encode(FenceUp{members, 0, 1, 0, 0, up, true}));
        };
        exchange.release_child(2, Runs{{{1, 1, 1}}}, {});
        ASSERT_TRUE(joins(1, "one"));
        ASSERT_EQ(kept.up.size(), 1U);
        exchange.widen_child(2, Runs{{{1, 1, 1}}});
        ASSERT_TRUE(joins(2, "two"));
        ASSERT_EQ(kept.up.size(), 2U);
        const auto& again = std::get<FenceUp>(kept.up[1]);
        EXPECT_EQ(again.counted, 2U);
        EXPECT_EQ(again.absent, 0U);
        EXPECT_EQ(std::get<BlobsUp>(again.load).pieces.size(), 2U);
        ASSERT_TRUE(joins(2, "two")) << "said twice";
        EXPECT_EQ(kept.up.size(), 2U);
    }
}

TEST(GroupFences, a_fence_waits_for_who_is_below_another_than_was_believed) {
    BelievedBelow group({0, 2, 3});
    EXPECT_TRUE(group.says(2, 1));
    EXPECT_FALSE(group.has_ended()) << "the third has not joined";
    group.is_told_where_the_third_is();
    EXPECT_FALSE(group.has_ended());
    EXPECT_TRUE(group.says(1, 1));
    EXPECT_TRUE(group.has_ended());

    BelievedBelow all({0, 1, 2, 3});
    EXPECT_TRUE(all.says(2, 1));
    all.is_told_where_the_third_is();
    EXPECT_FALSE(all.has_ended());
    EXPECT_TRUE(all.says(1, 2));
    EXPECT_TRUE(all.has_ended());
}

}  // namespace
}  // namespace launch
