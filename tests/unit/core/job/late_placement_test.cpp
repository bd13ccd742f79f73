// SPDX-License-Identifier: MIT
#include "core/job/late_placement.hpp"

#include <gtest/gtest.h>

#include "core/hosts/hostlist.hpp"
#include "tests/unit/golden.hpp"

namespace launch {
namespace {

using Lines = std::vector<std::string>;

struct Asked {
    const char* hosts;
    std::vector<uint32_t> ranks = {0};
    uint32_t spares = 0;
    bool allow_missing = false;
    uint32_t ppn = 0;
    Mapping mapping = Mapping::block;
    std::vector<HostChoice> choices = {};
};

Plan plan_of(const Asked& asked) {
    JobSpec spec;
    spec.hosts = *parse_hosts(asked.hosts);
    for (const auto count : asked.ranks)
        spec.programs.push_back(
            {.argv = {"p" + std::to_string(spec.programs.size())}, .ranks = count});
    spec.spares = asked.spares;
    spec.allow_missing = asked.allow_missing;
    spec.ppn = asked.ppn;
    spec.mapping = asked.mapping;
    spec.choices = asked.choices;
    auto no_tree = [](const std::string&, uint32_t, NodeIndex, std::string*) {
        return Result<std::unique_ptr<Topology>>(std::unique_ptr<Topology>());
    };
    return std::move(*make_plan(std::move(spec), no_tree));
}

/// All hosts but these, by name and blanks between them.
std::vector<bool> up_without(const Plan& plan, const std::string& missing) {
    std::vector<bool> up;
    for (const auto& host : plan.hosts)
        up.push_back((" " + missing + " ").find(" " + host.name + " ") == std::string::npos);
    return up;
}

/// "a 0 1 | c 2 | ": the hosts of the job with their ranks.
std::string shown(const Plan& plan, const LatePlacement& placed) {
    std::string text;
    for (size_t i = 0; i < placed.nodes.size(); ++i) {
        text += plan.hosts[placed.nodes[i] - 1].name + " ";
        for_each_rank(placed.deal.placement.node(i),
                      [&](uint32_t rank) { text += std::to_string(rank) + " "; });
        text += "| ";
    }
    return text;
}

TEST(LatePlacement, deals_ranks_to_the_hosts_that_are_left) {
    const auto cyclic = Mapping::cyclic;
    struct {
        const char* row;
        Asked asked;
        const char* missing;
        const char* places;
        std::vector<uint32_t> program_ranks;
        Lines notes;
    } rows[] = {
        {"all are up", {.hosts = "a,b", .allow_missing = true}, "", "a 0 | b 1 | ", {2}, {}},
        {"by slots",
         {.hosts = "a:2,b,c:3", .allow_missing = true},
         "b",
         "a 0 1 | c 2 3 4 | ",
         {5},
         {"goes on without b: 5 ranks on 2 hosts"}},
        {"by ppn",
         {.hosts = "a,b,c", .allow_missing = true, .ppn = 2},
         "a",
         "b 0 1 | c 2 3 | ",
         {4},
         {"goes on without a: 4 ranks on 2 hosts"}},
        {"a number that fits",
         {.hosts = "n[1-5]", .ranks = {3}, .allow_missing = true},
         "n1 n3",
         "n2 0 | n4 1 | n5 2 | ",
         {3},
         {"goes on without n[1,3]: 3 ranks on 3 hosts"}},
        {"hosts that are not needed",
         {.hosts = "n[1-5]", .ranks = {2}, .allow_missing = true},
         "n2",
         "n1 0 | n3 1 | ",
         {2},
         {"goes on without n2: 2 ranks on 2 hosts"}},
        {"a number that no longer fits",
         {.hosts = "n[1-4]", .ranks = {4}, .allow_missing = true},
         "n1",
         "n2 0 1 | n3 2 | n4 3 | ",
         {4},
         {"goes on without n1: 4 ranks on 3 hosts", "4 ranks on 3 slots"}},
        {"one that never fitted",
         {.hosts = "n[1-2]", .ranks = {4}, .allow_missing = true},
         "n1",
         "n2 0 1 2 3 | ",
         {4},
         {"goes on without n1: 4 ranks on 1 host"}},
        {"in turn",
         {.hosts = "a:2,b:2,c:2", .allow_missing = true, .mapping = cyclic},
         "a",
         "b 0 2 | c 1 3 | ",
         {4},
         {"goes on without a: 4 ranks on 2 hosts"}},
        {"programs keep their numbers",
         {.hosts = "n[1-4]:2", .ranks = {1, 2}, .allow_missing = true},
         "n1 n2 n3",
         "n4 0 1 2 | ",
         {1, 2},
         {"goes on without n[1-3]: 3 ranks on 1 host", "3 ranks on 2 slots"}},
        {"one takes what is left",
         {.hosts = "n[1-4]:2", .ranks = {1, 0, 2}, .allow_missing = true},
         "n2 n3",
         "n1 0 1 | n4 2 3 | ",
         {1, 1, 2},
         {"goes on without n[2-3]: 4 ranks on 2 hosts"}},
        {"spares that are not needed",
         {.hosts = "n[1-4]", .spares = 2},
         "",
         "n1 0 | n2 1 | ",
         {2},
         {}},
        {"a missing spare", {.hosts = "n[1-4]", .spares = 2}, "n4", "n1 0 | n2 1 | ", {2}, {}},
        {"a spare stands in",
         {.hosts = "n[1-5]", .spares = 2},
         "n2",
         "n1 0 | n4 1 | n3 2 | ",
         {3},
         {"n4 takes the place of n2"}},
        {"the next one, with its own slots",
         {.hosts = "n[1-3]:2,n4,n5:3", .spares = 2},
         "n2 n4",
         "n1 0 1 | n5 2 3 4 | n3 5 6 | ",
         {7},
         {"n5 takes the place of n2"}},
        {"several, in the order of the list",
         {.hosts = "b,a,c,x[1-2]", .spares = 2},
         "a b",
         "x1 0 | x2 1 | c 2 | ",
         {3},
         {"x[1-2] take the places of b,a, in this order"}},
        {"only hosts with ranks have spares",
         {.hosts = "n[1-9]", .ranks = {2}, .spares = 1},
         "n1",
         "n9 0 | n2 1 | ",
         {2},
         {"n9 takes the place of n1"}},
        {"spares, then fewer",
         {.hosts = "n[1-5]", .spares = 1, .allow_missing = true},
         "n1 n3",
         "n5 0 | n2 1 | n4 2 | ",
         {3},
         {"n5 takes the place of n1", "goes on without n3: 3 ranks on 3 hosts"}},
        {"each program on what is left of its own",
         {.hosts = "n[1-4]:2",
          .ranks = {2, 2},
          .allow_missing = true,
          .choices = {{{0, 1}}, {{2, 3}}}},
         "n1",
         "n2 0 1 | n3 2 3 | ",
         {2, 2},
         {"goes on without n1: 4 ranks on 2 hosts"}},
        {"too few slots of its own",
         {.hosts = "n[1-4]",
          .ranks = {2, 1},
          .allow_missing = true,
          .choices = {{{0, 1}}, {{2, 3}}}},
         "n1",
         "n2 0 1 | n3 2 | ",
         {2, 1},
         {"goes on without n1: 3 ranks on 2 hosts", "n2: 2 ranks on 1 slot"}},
        {"a spare is one of the program's own",
         {.hosts = "n[1-6]", .ranks = {2, 2}, .spares = 2, .choices = {{{0, 1}}, {{2, 3, 5}}}},
         "n2 n3",
         "n1 0 | n5 1 | n6 2 | n4 3 | ",
         {2, 2},
         {"n[5-6] take the places of n[2-3], in this order"}},
        {"none may be missing", {.hosts = "a:2,b,c"}, "b", "a 0 1 | b 2 | c 3 | ", {4}, {}},
    };
    for (const auto& row : rows) {
        const Plan plan = plan_of(row.asked);
        const auto placed = place_on_living(plan, up_without(plan, row.missing));
        ASSERT_TRUE(placed) << row.row << ": " << describe(placed.error());
        EXPECT_EQ(shown(plan, *placed), row.places) << row.row;
        EXPECT_EQ(placed->deal.program_ranks, row.program_ranks) << row.row;
        EXPECT_EQ(late_notes(plan, *placed), row.notes) << row.row;
    }
}

TEST(LatePlacement, tells_why_a_job_cannot_run) {
    auto input = plan_of({.hosts = "a,b", .allow_missing = true});
    input.spec.policies.stdin_target = {StdinTarget::Kind::rank, 1};
    struct {
        const char* row;
        Plan plan;
        const char* missing;
    } rows[] = {
        {"nobody", plan_of({.hosts = "a,b", .allow_missing = true}), "a b"},
        {"too few spares", plan_of({.hosts = "n[1-6]", .spares = 1}), "n1 n2 n3"},
        {"missing spares", plan_of({.hosts = "n[1-6]", .spares = 2}), "n1 n5 n6"},
        {"no slot for the rest",
         plan_of({.hosts = "n[1-3]", .ranks = {2, 0}, .allow_missing = true}), "n1"},
        {"no host of its own",
         plan_of({.hosts = "n[1-3]",
                  .ranks = {1, 1},
                  .allow_missing = true,
                  .choices = {{{0}}, {{1, 2}}}}),
         "n1"},
        {"no reader", std::move(input), "b"},
    };
    for (const auto& row : rows) {
        const auto placed = place_on_living(row.plan, up_without(row.plan, row.missing));
        ASSERT_FALSE(placed) << row.row;
        expect_golden(row.row, describe(placed.error()));
        EXPECT_EQ(placed.error().kind, ErrorKind::unreachable) << row.row;
    }
}

TEST(LatePlacement, the_universe_is_what_is_left) {
    const Plan plan = plan_of({.hosts = "a:4,b:2,c:8", .ranks = {1}, .spares = 1});
    EXPECT_EQ(plan.universe_size, 6u);
    EXPECT_EQ(place_on_living(plan, {false, true})->deal.universe_size, 8u);
    const Plan fixed = plan_of({.hosts = "a:4,b:2,c:8", .ranks = {1}});
    EXPECT_EQ(place_on_living(fixed, {true})->deal.universe_size, 14u);
}

}  // namespace
}  // namespace launch
