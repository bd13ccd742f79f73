// SPDX-License-Identifier: MIT
#include "core/job/plan.hpp"

#include <gtest/gtest.h>

#include "core/hosts/hostlist.hpp"
#include "tests/unit/golden.hpp"

namespace launch {
namespace {

class Star final : public Topology {
  public:
    std::string name() const override { return "star"; }
    void children(NodeIndex v, NodeIndex n, std::vector<NodeIndex>& out) const override {
        out.clear();
        for (NodeIndex child = 1; v == 0 && child < n; ++child)
            out.push_back(child);
    }
    NodeIndex parent(NodeIndex, NodeIndex) const override { return 0; }
};

/// Remembers what it was asked for.
struct FakeFactory {
    std::string name;
    uint32_t degree = 0;
    NodeIndex nodes = 0;

    TopologyFactory factory() {
        return [this](const std::string& asked, uint32_t k, NodeIndex n,
                      std::string* reason) -> Result<std::unique_ptr<Topology>> {
            name = asked;
            degree = k;
            nodes = n;
            if (asked == "bad") return Error{.kind = ErrorKind::usage, .cause = "no such tree"};
            if (reason != nullptr) *reason = "the reason";
            return std::unique_ptr<Topology>(std::make_unique<Star>());
        };
    }
};

JobSpec spec_of(const char* hosts, const std::vector<uint32_t>& ranks) {
    JobSpec spec;
    spec.local_slots = 6;
    if (hosts != nullptr) spec.hosts = *parse_hosts(hosts);
    for (const auto count : ranks)
        spec.programs.push_back(
            {.argv = {"p" + std::to_string(spec.programs.size())}, .ranks = count});
    return spec;
}

Result<Plan> plan_of(JobSpec spec) {
    return make_plan(std::move(spec), FakeFactory{}.factory());
}

struct Row {
    const char* row;
    const char* hosts;  ///< null: none given
    std::vector<uint32_t> asked;
    uint32_t ppn;
    Mapping mapping;
    std::vector<uint32_t> ranks;  ///< of the programs
    const char* used;
    std::vector<uint32_t> on_host;
};

TEST(Plan, GivesRanksToProgramsAndHosts) {
    const auto block = Mapping::block;
    const auto cyclic = Mapping::cyclic;
    const Row rows[] = {
        {"here, all slots", nullptr, {0}, 0, block, {6}, "localhost:6", {6}},
        {"here, some", nullptr, {4}, 0, block, {4}, "localhost:6", {4}},
        {"all slots", "a:2,b:3", {0}, 0, block, {5}, "a:2,b:3", {2, 3}},
        {"ppn for slots", "a:2,b:3", {0}, 4, block, {8}, "a:2,b:3", {4, 4}},
        {"a host twice", "a,b,a", {0}, 0, block, {3}, "a:2,b", {2, 1}},
        {"two programs", "a:2,b:2", {1, 3}, 0, block, {1, 3}, "a:2,b:2", {2, 2}},
        {"one takes the rest", "a:2,b:4", {1, 0, 2}, 0, block, {1, 3, 2}, "a:2,b:4", {2, 4}},
        {"the rest by ppn", "a,b", {1, 0}, 3, block, {1, 5}, "a,b", {3, 3}},
        {"fewer ranks than hosts", "n[1-9]", {2}, 0, block, {2}, "n[1-2]", {1, 1}},
        {"fewer ranks, in turn", "n[1-9]:4", {2}, 0, cyclic, {2}, "n[1-2]:4", {1, 1}},
        {"more ranks than slots", "a,b", {5}, 0, block, {5}, "a,b", {3, 2}},
    };
    for (const auto& row : rows) {
        auto spec = spec_of(row.hosts, row.asked);
        spec.ppn = row.ppn;
        spec.mapping = row.mapping;
        const auto plan = plan_of(std::move(spec));
        ASSERT_TRUE(plan) << row.row << ": " << describe(plan.error());
        std::vector<uint32_t> ranks;
        for (const auto& program : plan->spec.programs)
            ranks.push_back(program.ranks);
        EXPECT_EQ(ranks, row.ranks) << row.row;
        EXPECT_EQ(fold_hosts(plan->hosts), row.used) << row.row;
        std::vector<uint32_t> on_host;
        for (size_t i = 0; i < plan->hosts.size(); ++i)
            on_host.push_back(local_size(plan->placement.node(i)));
        EXPECT_EQ(on_host, row.on_host) << row.row;
        EXPECT_EQ(plan->local, row.hosts == nullptr) << row.row;
    }
}

TEST(Plan, MakesATreeOfTheHeadAndTheUsedHosts) {
    FakeFactory fake;
    auto spec = spec_of("n[1-9]", {3});
    spec.topology = "kary";
    spec.degree = 7;
    const auto plan = make_plan(std::move(spec), fake.factory());
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->nodes(), 4U);
    EXPECT_EQ(fold_hosts(plan->unused), "n[4-9]");
    EXPECT_EQ(fake.nodes, 4U);
    EXPECT_EQ(fake.name, "kary");
    EXPECT_EQ(fake.degree, 7U);
    EXPECT_EQ(plan->topology->name(), "star");
    EXPECT_EQ(plan->topology_reason, "the reason");
}

TEST(Plan, TheUniverseIsEverySlotOrEveryRank) {
    struct {
        const char* hosts;
        uint32_t ranks;
        uint32_t ppn;
        uint32_t universe_size;
    } rows[] = {
        {"a:4,b:2", 3, 0, 6},
        {"a:4,b:2", 9, 0, 9},
        {"a:4,b:2", 1, 3, 6},
        {"a:4294967295,b", 1, 0, 2147483647},
    };
    for (const auto& row : rows) {
        auto spec = spec_of(row.hosts, {row.ranks});
        spec.ppn = row.ppn;
        const auto plan = plan_of(std::move(spec));
        ASSERT_TRUE(plan) << row.hosts;
        EXPECT_EQ(plan->universe_size, row.universe_size) << row.hosts << " " << row.ranks;
    }
}

TEST(Plan, ChoosesWhichHostsToStart) {
    struct {
        const char* row;
        uint32_t ranks;
        uint32_t spares;
        bool allow_missing;
        const char* hosts;
        std::vector<uint32_t> on_host;
    } rows[] = {
        {"those with ranks", 2, 0, false, "n[1-2]", {1, 1}},
        {"and the spares", 2, 2, false, "n[1-2,8-9]", {1, 1, 0, 0}},
        {"all but the spares have ranks", 0, 2, false, "n[1-9]", {1, 1, 1, 1, 1, 1, 1, 0, 0}},
        {"any may be needed", 2, 0, true, "n[1-9]", {1, 1, 0, 0, 0, 0, 0, 0, 0}},
        {"more ranks than slots", 8, 5, false, "n[1-9]", {2, 2, 2, 2, 0, 0, 0, 0, 0}},
    };
    for (const auto& row : rows) {
        auto spec = spec_of("n[1-9]", {row.ranks});
        spec.spares = row.spares;
        spec.allow_missing = row.allow_missing;
        const auto plan = plan_of(std::move(spec));
        ASSERT_TRUE(plan) << row.row << ": " << describe(plan.error());
        EXPECT_EQ(fold_hosts(plan->hosts), row.hosts) << row.row;
        ASSERT_EQ(plan->placement.nodes() >= plan->hosts.size(), true) << row.row;
        std::vector<uint32_t> on_host;
        for (size_t i = 0; i < plan->hosts.size(); ++i)
            on_host.push_back(local_size(plan->placement.node(i)));
        EXPECT_EQ(on_host, row.on_host) << row.row;
        EXPECT_EQ(plan->late(), row.spares > 0 || row.allow_missing) << row.row;
    }
    auto here = spec_of(nullptr, {2});
    here.allow_missing = true;
    EXPECT_FALSE(plan_of(std::move(here))->late());
    auto surviving = spec_of("n[1-9]", {2});
    surviving.policies.host_loss = HostLoss::go_on;
    const auto plan = plan_of(std::move(surviving));
    EXPECT_TRUE(plan->late());
    EXPECT_FALSE(plan->may_miss());
}

TEST(Plan, StartsTheHostsOfEachProgramThatItNeeds) {
    struct {
        const char* row;
        std::vector<uint32_t> ranks;
        uint32_t spares;
        bool allow_missing;
        const char* hosts;
        std::vector<uint32_t> on_host;
        std::vector<HostChoice> choices;
    } rows[] = {
        {"not those between", {1, 2}, 0, false, "n[1,4-5]", {1, 1, 1}, {{{0}}, {{1, 2}}}},
        {"all, if any may be missing",
         {1, 2},
         0,
         true,
         "n[1-6]",
         {1, 0, 0, 1, 1, 0},
         {{{0, 1, 2}}, {{3, 4, 5}}}},
        {"and the spares", {1, 2}, 1, false, "n[1,4-6]", {1, 1, 1, 0}, {{{0}}, {{1, 2}}}},
    };
    for (const auto& row : rows) {
        auto spec = spec_of("n[1-6]", row.ranks);
        spec.choices = {{{0, 1, 2}}, {{3, 4, 5}}};
        spec.spares = row.spares;
        spec.allow_missing = row.allow_missing;
        const auto plan = plan_of(std::move(spec));
        ASSERT_TRUE(plan) << row.row << ": " << describe(plan.error());
        EXPECT_EQ(fold_hosts(plan->hosts), row.hosts) << row.row;
        std::vector<uint32_t> on_host;
        for (size_t i = 0; i < plan->hosts.size(); ++i)
            on_host.push_back(local_size(plan->placement.node(i)));
        EXPECT_EQ(on_host, row.on_host) << row.row;
        EXPECT_EQ(plan->spec.choices, row.choices) << row.row;
    }
}

TEST(Plan, Refuses) {
    const auto with_spares = [](JobSpec spec, uint32_t spares) {
        spec.spares = spares;
        return spec;
    };
    const auto stdin_at = [](JobSpec spec, uint32_t rank) {
        spec.policies.stdin_target = {StdinTarget::Kind::rank, rank};
        return spec;
    };
    auto bad_tree = spec_of("a", {1});
    bad_tree.topology = "bad";
    struct {
        const char* row;
        JobSpec spec;
    } rows[] = {
        {"no program", spec_of("a", {})},
        {"two open", spec_of("a:4", {0, 1, 0})},
        {"nothing left", spec_of("a:2,b:2", {4, 0})},
        {"standard input beyond", stdin_at(spec_of("a:4", {0}), 4)},
        {"too many ranks", spec_of("a", {UINT32_MAX, 1})},
        {"more than MPI counts", spec_of("a", {UINT32_MAX})},
        {"its topology", bad_tree},
        {"spares of nothing", with_spares(spec_of(nullptr, {1}), 1)},
        {"spares only", with_spares(spec_of("a,b", {1}), 2)},
    };
    for (auto& row : rows) {
        const auto plan = plan_of(std::move(row.spec));
        ASSERT_FALSE(plan) << row.row;
        expect_golden(row.row, describe(plan.error()));
        EXPECT_EQ(plan.error().kind, ErrorKind::usage) << row.row;
    }
}

TEST(Plan, AStartHasALimitUnlessItIsToHaveNone) {
    auto spec = spec_of("n[1-100]", {0});
    EXPECT_EQ(plan_of(spec)->start_limit, milliseconds(240'000));
    spec.policies.start_timeout = milliseconds(200'000);
    EXPECT_EQ(plan_of(spec)->start_limit, milliseconds(520'000));
    spec.start_limit = milliseconds(5);
    EXPECT_EQ(plan_of(spec)->start_limit, milliseconds(5));
    spec.start_limit = milliseconds(0);
    EXPECT_EQ(plan_of(spec)->start_limit, milliseconds(0));
}

TEST(Plan, StandardInputOfTheLastRankIsFine) {
    auto spec = spec_of("a:4", {0});
    spec.policies.stdin_target = {StdinTarget::Kind::rank, 3};
    EXPECT_TRUE(plan_of(std::move(spec)));
}

}  // namespace
}  // namespace launch
