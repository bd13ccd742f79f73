#include <algorithm>

#include "modex/exchange/exchange.hpp"
#include "tests/unit/modex/exchange/jobs.hpp"
#include "tests/unit/modex/exchange/recorder.hpp"

namespace launch {
namespace {

TEST(GroupFence, a_group_of_ranks_fences_alone) {
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

TEST(GroupFence, a_group_s_member_that_exited_breaks_its_fence_once) {
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

TEST(GroupFence, a_group_s_member_may_exit_while_the_others_wait) {
    GroupWithout3 job(true);
    job.join(1);
    job.join(4);
    EXPECT_TRUE(job.told.broken.empty());
    job.simulation.exit(3);
    job.simulation.run();
    EXPECT_EQ(job.told.broken.size(), 1U);
}

TEST(GroupFence, a_group_goes_on_without_a_member_that_died) {
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

TEST(GroupFence, of_a_group_s_local_members_only_those_alive_join) {
    GroupWithout3 job(true);
    job.simulation.exit(5);
    job.join(4);
    job.join(1);
    job.join(3);
    EXPECT_EQ(job.told.broken, (std::vector<std::pair<uint32_t, uint32_t>>{{5, 1}}));
}

}  // namespace
}  // namespace launch
