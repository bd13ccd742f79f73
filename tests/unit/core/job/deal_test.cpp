// SPDX-License-Identifier: MIT
#include "core/job/deal.hpp"

#include <gtest/gtest.h>

#include "core/hosts/hostlist.hpp"
#include "core/job/host_choice.hpp"
#include "tests/unit/golden.hpp"

namespace launch {
namespace {

struct Asked {
    std::vector<uint32_t> ranks;
    std::vector<const char*> hosts;  ///< of each program; null: none of its own
    uint32_t ppn = 0;
    Mapping mapping = Mapping::block;
};

/// As the command line gives it to a plan.
JobSpec spec_of(const Asked& asked) {
    JobSpec spec;
    std::vector<std::vector<Host>> lists;
    for (size_t i = 0; i < asked.ranks.size(); ++i) {
        spec.programs.push_back({.argv = {"p" + std::to_string(i)}, .ranks = asked.ranks[i]});
        if (asked.hosts[i] != nullptr) lists.push_back(*parse_hosts(asked.hosts[i]));
    }
    auto joint = join_hosts(std::move(lists));
    spec.hosts = std::move(joint.hosts);
    size_t next = 0;
    for (const auto* own : asked.hosts)
        spec.choices.push_back(own == nullptr ? HostChoice() : HostChoice(joint.places[next++]));
    spec.ppn = asked.ppn;
    spec.mapping = asked.mapping;
    return spec;
}

Result<Deal> deal_of(const JobSpec& spec) {
    return deal_ranks(spec, asked_ranks(spec.programs), spec.hosts, spec.choices);
}

std::string shown(const std::vector<Host>& hosts, const Placement& placement) {
    std::string text;
    for (size_t i = 0; i < hosts.size(); ++i) {
        text += hosts[i].name + " ";
        for_each_rank(placement.node(i),
                      [&](uint32_t rank) { text += std::to_string(rank) + " "; });
        text += "| ";
    }
    return text;
}

/// Where others run already, as where a rank of theirs asks for more.
TEST(Deal, FillsFreeSlotsFirst) {
    const auto hosts = *parse_hosts("a:2 b:2 c:1");
    struct {
        uint32_t ranks;
        std::vector<uint32_t> used;
        const char* places;
    } rows[] = {
        {3, {1, 0, 1}, "a 0 | b 1 2 | c | "},   {1, {2, 1, 1}, "a | b 0 | c | "},
        {4, {1, 0, 1}, "a 0 1 | b 2 3 | c | "}, {2, {2, 2, 1}, "a 0 1 | b | c | "},
        {2, {9, 2, 1}, "a 0 1 | b | c | "},
    };
    for (const auto& row : rows) {
        JobSpec spec;
        spec.programs.push_back({.argv = {"p"}, .ranks = row.ranks});
        const auto deal = deal_ranks(spec, asked_ranks(spec.programs), hosts, {}, row.used);
        ASSERT_TRUE(deal) << row.places;
        EXPECT_EQ(shown(hosts, deal->placement), row.places);
    }
}

TEST(Deal, RefusesMoreRanksThanSlotsWhereThatIsForbidden) {
    const auto cause = [](Asked asked) {
        JobSpec spec = spec_of(asked);
        spec.keeps_to_slots = true;
        const auto deal = deal_of(spec);
        return deal ? std::string() : deal.error().cause;
    };
    EXPECT_EQ(cause({.ranks = {3}, .hosts = {"a:2 b:1"}}), "");
    EXPECT_EQ(cause({.ranks = {0}, .hosts = {"a:2 b:1"}}), "");
    expect_told({"4 ranks", "3 slots"}, cause({.ranks = {4}, .hosts = {"a:2 b:1"}}));
    expect_told({"a: ", "3 ranks", "2 slots"}, cause({.ranks = {3, 1}, .hosts = {"a:2", "b:2"}}));
}

TEST(Deal, GivesEachProgramItsOwnHosts) {
    constexpr auto cyclic = Mapping::cyclic;
    const char* const none = nullptr;
    struct {
        const char* row;
        Asked asked;
        const char* places;
        std::vector<uint32_t> program_ranks;
        const char* crowded;
    } rows[] = {
        {"apart", {{1, 2}, {"a", "b:2"}}, "a 0 | b 1 2 | ", {1, 2}, ""},
        {"more ranks than slots on one",
         {{1, 2}, {"a:4", "b"}},
         "a 0 | b 1 2 | ",
         {1, 2},
         "b: 2 ranks on 1 slot"},
        {"on several",
         {{8, 1}, {"n[1-3]", "m:9"}},
         "n1 0 1 2 | n2 3 4 5 | n3 6 7 | m 8 | ",
         {8, 1},
         "n[1-3]: 8 ranks on 3 slots"},
        {"more than all slots",
         {{1, 3}, {"a", "b"}},
         "a 0 | b 1 2 3 | ",
         {1, 3},
         "4 ranks on 2 slots"},
        {"as many as slots, each", {{0, 0}, {"a:2", "b:3"}}, "a 0 1 | b 2 3 4 | ", {2, 3}, ""},
        {"one of the hosts of another",
         {{1, 3}, {"a:2", "a:2,b:2"}},
         "a 0 1 | b 2 3 | ",
         {1, 3},
         ""},
        {"in the program's own order",
         {{2, 2}, {"a,b", "b,a"}},
         "a 0 3 | b 1 2 | ",
         {2, 2},
         "4 ranks on 2 slots"},
        {"the same hosts are dealt as one",
         {{1, 1, 2}, {"a:2", "b:2", "a:2"}},
         "a 0 2 3 | b 1 | ",
         {1, 1, 2},
         "a: 3 ranks on 2 slots"},
        {"all the same is as if named once",
         {{1, 3}, {"a,b", "a,b"}},
         "a 0 1 | b 2 3 | ",
         {1, 3},
         "4 ranks on 2 slots"},
        {"one without takes what is left, its ranks first",
         {{2, 1, 1}, {none, "a", "b:3"}},
         "a 2 | b 0 1 3 | ",
         {2, 1, 1},
         ""},
        {"without a number too",
         {{0, 1, 1}, {none, "a", "b:3"}},
         "a 2 | b 0 1 3 | ",
         {2, 1, 1},
         ""},
        {"two without are dealt as one",
         {{1, 1, 1, 1}, {none, "a:2", none, "b:2"}},
         "a 0 1 | b 2 3 | ",
         {1, 1, 1, 1},
         ""},
        {"what does not fit any more goes round again",
         {{3, 1, 1}, {none, "a", "b"}},
         "a 0 1 3 | b 2 4 | ",
         {3, 1, 1},
         "5 ranks on 2 slots"},
        {"some fits",
         {{3, 1, 1}, {none, "a", "b:2"}},
         "a 0 3 | b 1 2 4 | ",
         {3, 1, 1},
         "5 ranks on 3 slots"},
        {"in turn",
         {{3, 3}, {"a:2,b:2", "c:2,d:2"}, 0, cyclic},
         "a 0 2 | b 1 | c 3 5 | d 4 | ",
         {3, 3},
         ""},
        {"in turn, through programs on the same hosts",
         {{1, 1, 2}, {"a:2,b:2", "c", "a:2,b:2"}, 0, cyclic},
         "a 0 3 | b 2 | c 1 | ",
         {1, 1, 2},
         ""},
        {"ppn", {{0, 0}, {"a,b", "c"}, 2}, "a 0 1 | b 2 3 | c 4 5 | ", {4, 2}, ""},
    };
    for (const auto& row : rows) {
        const auto spec = spec_of(row.asked);
        const auto deal = deal_of(spec);
        ASSERT_TRUE(deal) << row.row << ": " << describe(deal.error());
        EXPECT_EQ(shown(spec.hosts, deal->placement), row.places) << row.row;
        EXPECT_EQ(deal->program_ranks, row.program_ranks) << row.row;
        EXPECT_EQ(oversubscription(spec, deal->placement, spec.hosts), row.crowded) << row.row;
    }
}

/// The hosts of each rank, told of one program at a time.
TEST(Deal, KeepsTheOrderOfRunsOnAHost) {
    const auto spec =
        spec_of({{5, 2, 7, 3}, {"a:3,b:3", "c", nullptr, "b:3,c"}, 0, Mapping::cyclic});
    const auto deal = deal_of(spec);
    ASSERT_TRUE(deal);
    std::vector<uint32_t> seen(17);
    for (size_t i = 0; i < deal->placement.nodes(); ++i) {
        uint32_t next = 0;
        for (const RankRun& run : deal->placement.node(i)) {
            EXPECT_GE(run.first, next);
            next = run.first + (run.count - 1) * run.stride + 1;
        }
        for_each_rank(deal->placement.node(i), [&](uint32_t rank) { ++seen.at(rank); });
    }
    EXPECT_EQ(seen, std::vector<uint32_t>(17, 1));
    EXPECT_EQ(deal->placement.slots(), 7U);
}

TEST(Deal, Refuses) {
    struct {
        const char* row;
        Asked asked;
    } rows[] = {
        {"two that take the rest of the same hosts", {{0, 1, 0}, {"a,b", "c", "a,b"}}},
        {"nothing left of its own", {{1, 0, 1}, {"a", "a", "b"}}},
        {"nothing left anywhere", {{1, 0, 1}, {"a", nullptr, "b"}}},
        {"too many in all", {{2147483647, 1}, {"a", "b"}}},
    };
    for (const auto& row : rows) {
        const auto deal = deal_of(spec_of(row.asked));
        ASSERT_FALSE(deal) << row.row;
        expect_golden(row.row, deal.error().cause);
        EXPECT_EQ(deal.error().kind, ErrorKind::usage) << row.row;
    }
}

TEST(HostChoice, MovesWithItsHosts) {
    const std::vector<HostChoice> choices{{{0, 3, 1}}, {}, {{2}}};
    const std::vector<uint32_t> places{5, no_place, no_place, 0};
    const auto moved = moved_choices(choices, places);
    EXPECT_EQ(moved, (std::vector<HostChoice>{{{5, 0}}, {}, std::vector<uint32_t>{}}));
    EXPECT_EQ(program_without_host(moved), 2U);
    EXPECT_EQ(program_without_host(choices), std::nullopt);
}

}  // namespace
}  // namespace launch
