// SPDX-License-Identifier: MIT
#include "modex/mapping/process_mapping.hpp"

#include <gtest/gtest.h>
#include <random>

#include "core/job/deal.hpp"
#include "tests/unit/modex/mapping/nodemap.hpp"

namespace launch {
namespace {

constexpr Mapping block = Mapping::block;
constexpr Mapping cyclic = Mapping::cyclic;

Placement placed(const PlacementRequest& request) {
    auto placement = place(request);
    EXPECT_TRUE(placement);
    return placement ? *std::move(placement) : Placement{};
}

TEST(ProcessMapping, says_who_shares_a_node) {
    struct {
        const char* row;
        PlacementRequest request;
        const char* text;
    } rows[] = {
        {"one rank", {{1}, 1, 0, block}, "(vector,(0,1,1))"},
        {"one node", {{4}, 0, 0, block}, "(vector,(0,1,4))"},
        {"block", {{2, 2, 2}, 0, 0, block}, "(vector,(0,3,2))"},
        {"block, the last node is not full", {{2, 2, 2}, 5, 0, block}, "(vector,(0,2,2),(2,1,1))"},
        {"uneven block", {{1, 3, 3, 2}, 0, 0, block}, "(vector,(0,1,1),(1,2,3),(3,1,2))"},
        {"block, more ranks than slots", {{1, 1, 1}, 7, 0, block}, "(vector,(0,1,3),(1,2,2))"},
        {"cyclic", {{4, 4, 4}, 0, 0, cyclic}, "(vector,(0,3,1))"},
        {"cyclic on one node", {{4}, 0, 0, cyclic}, "(vector,(0,1,4))"},
        {"cyclic, the last round is short", {{4, 4, 4}, 10, 0, cyclic}, "(vector,(0,3,1))"},
        {"uneven cyclic", {{1, 3, 2}, 0, 0, cyclic}, "(vector,(0,3,1),(1,2,1),(1,1,1))"},
        {"uneven cyclic, the end as a block", {{1, 3}, 0, 0, cyclic}, "(vector,(0,1,1),(1,1,3))"},
        {"cyclic, more ranks than slots", {{1, 2}, 8, 0, cyclic}, "(vector,(0,1,1),(1,1,2))"},
    };
    for (const auto& row : rows)
        EXPECT_EQ(process_mapping(placed(row.request)), row.text) << row.row;
}

PlacementRequest random_request(std::mt19937& random) {
    const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random()) % n; };
    PlacementRequest request;
    const uint32_t most_slots = below(4) + 1;
    for (uint32_t i = below(12) + 1; i > 0; --i)
        request.slots.push_back(below(most_slots + 1));
    request.slots.push_back(1);
    request.ranks = below(120);
    request.mapping = below(2) == 0 ? block : cyclic;
    return request;
}

/// Programs with hosts of their own: ranks of one host are anywhere among those of the job, and the
/// first need not be on the first host.
TEST(ProcessMapping, is_read_back_where_programs_have_their_own_hosts) {
    std::mt19937 random(11);
    const auto below = [&](size_t n) { return static_cast<uint32_t>(random() % n); };
    for (int i = 0; i < 5'000; ++i) {
        JobSpec spec;
        const uint32_t hosts = below(6) + 1;
        const uint32_t programs = below(4) + 1;
        for (uint32_t host = 0; host < hosts; ++host)
            spec.hosts.push_back({"", "n" + std::to_string(host), 0, below(3) + 1});
        for (uint32_t program = 0; program < programs; ++program) {
            spec.programs.push_back({.argv = {"p"}, .ranks = below(9) + 1});
            auto& choice = spec.choices.emplace_back();
            if (below(3) == 0) continue;
            choice.emplace();
            for (uint32_t host = 0; host < hosts; ++host)
                if (below(2) == 0 || (choice->empty() && host + 1 == hosts))
                    choice->insert(choice->begin() + below(choice->size() + 1), host);
        }
        spec.mapping = below(2) == 0 ? block : cyclic;
        const auto deal = deal_ranks(spec, asked_ranks(spec.programs), spec.hosts, spec.choices);
        ASSERT_TRUE(deal) << i << describe(deal.error());
        const auto& placement = deal->placement;
        const auto text = process_mapping(placement, 1U << 20);
        const auto nodes = NodemapReader::read(text, placement.ranks());
        ASSERT_TRUE(nodes) << i << text;
        ASSERT_EQ(*nodes, placement.nodes_by_rank()) << i << text;
    }
}

TEST(ProcessMapping, is_read_back_as_it_was_placed) {
    std::mt19937 random(7);
    for (int i = 0; i < 20'000; ++i) {
        const auto placement = placed(random_request(random));
        const auto text = process_mapping(placement, 1U << 20);
        const auto nodes = NodemapReader::read(text, placement.ranks());
        ASSERT_TRUE(nodes) << i << text;
        ASSERT_EQ(*nodes, placement.nodes_by_rank()) << i << text;
    }
}

/// Of hosts with one and two ranks in turn, each of which is a triple of its own.
std::string uneven_mapping(uint32_t hosts) {
    std::vector<uint32_t> slots;
    for (uint32_t i = 0; i < hosts; ++i)
        slots.push_back(i % 2 + 1);
    return process_mapping(placed({slots, 0, 0, block}));
}

TEST(ProcessMapping, is_empty_rather_than_too_long) {
    const auto placement = placed({{2, 2, 2}, 5, 0, block});
    const std::string text = "(vector,(0,2,2),(2,1,1))";
    EXPECT_EQ(process_mapping(placement, text.size()), text);
    EXPECT_EQ(process_mapping(placement, text.size() - 1), "");
    EXPECT_EQ(process_mapping(placement, 0), "");
    EXPECT_EQ(uneven_mapping(1000), "");
}

TEST(ProcessMapping, is_as_long_as_a_client_has_room_for) {
    uint32_t hosts = 1;
    while (!uneven_mapping(hosts + 1).empty())
        ++hosts;
    const std::string longest = uneven_mapping(hosts);
    const std::string next = ",(" + std::to_string(hosts) + ",1,1)";
    EXPECT_LT(longest.size(), pmi1_vallen_max);
    EXPECT_GE(longest.size() + next.size(), pmi1_vallen_max);
}

TEST(ProcessMapping, stays_short_on_many_hosts) {
    const std::vector<uint32_t> hosts(100'000, 16);
    EXPECT_EQ(process_mapping(placed({hosts, 0, 0, block})), "(vector,(0,100000,16))");
    EXPECT_EQ(process_mapping(placed({hosts, 0, 0, cyclic})), "(vector,(0,100000,1))");
    EXPECT_EQ(process_mapping(placed({{1}, INT32_MAX, 0, block})), "");
}

}  // namespace
}  // namespace launch
