// SPDX-License-Identifier: MIT
#include "core/head/ground_hosts.hpp"

#include <gtest/gtest.h>

#include "core/hosts/hostlist.hpp"

namespace launch {
namespace {

using State = GroundHosts::State;
using Places = std::vector<uint32_t>;

std::vector<Host> hosts(const char* list) {
    return *parse_hosts(list);
}

/// So many ranks on each of the hosts, in their order.
Placement ranks(std::vector<uint32_t> slots) {
    return *place({std::move(slots), 0, 0, Mapping::block});
}

bool any(const GroundHosts::Entry&) {
    return true;
}

TEST(GroundHosts, are_started_when_processes_are_to_go_there) {
    GroundHosts ground(hosts("a:2 b:2"), hosts("c d"));
    EXPECT_EQ(ground.offer(any).places, (Places{0, 1, 2, 3}));
    EXPECT_EQ(ground.at(1).node, 2U);
    const Places chosen{1, 2, 3};
    EXPECT_EQ(ground.idle(chosen), (Places{2, 3}));
    ground.joins(2, 3);
    ground.joins(3, 4);
    EXPECT_TRUE(ground.idle(chosen).empty());
    EXPECT_EQ(ground.at(3).node, 4U);
    ground.lose([](NodeIndex node) { return node == 4; });
    EXPECT_EQ(ground.offer(any).places, (Places{0, 1, 2}));
}

TEST(GroundHosts, count_what_is_taken) {
    GroundHosts ground(hosts("a:2 b:2"), hosts("c"));
    ground.take(ranks({1, 2}), {0, 2});
    ground.take(ranks({2}), {2});
    EXPECT_EQ(ground.offer(any).used, (std::vector<uint32_t>{1, 0, 4}));
    ground.give_back(ranks({1, 2}), {0, 2});
    EXPECT_EQ(ground.offer(any).used, (std::vector<uint32_t>{0, 0, 2}));
}

TEST(GroundHosts, that_are_gone_are_for_those_who_name_them) {
    GroundHosts ground(hosts("localhost me@b"), hosts("c"));
    ground.joins(2, 3);
    ground.leaves(2);
    ground.lose([](NodeIndex node) { return node == 2; });
    EXPECT_EQ(ground.offer(any).places, (Places{0}));
    // Whoever is known is not another one, whatever it goes by.
    ground.add(hosts("b here c:8 e"), "here");
    const auto offer = ground.offer(any);
    EXPECT_EQ(offer.places, (Places{0, 1, 2, 3}));
    EXPECT_EQ(offer.hosts[3].name, "e");
    EXPECT_EQ(ground.idle(offer.places), (Places{1, 2, 3}));
    // Its former node may be another's by now.
    ground.lose([](NodeIndex) { return true; });
    EXPECT_EQ(ground.at(1).state, State::idle);
}

TEST(GroundHosts, that_were_asked_for_in_vain_are_for_nobody_else) {
    GroundHosts ground(hosts("a b"), hosts("c"));
    ground.joins(2, 3);
    ground.leaves(2);
    const auto added = ground.add(hosts("a c d e"), "");
    EXPECT_EQ(ground.offer(any).places, (Places{0, 1, 2, 3, 4}));
    ground.undo(added);
    EXPECT_EQ(ground.offer(any).places, (Places{0, 1}));
    EXPECT_FALSE(ground.find(hosts("d")[0], ""));
    EXPECT_TRUE(ground.find(hosts("c")[0], ""));
}

TEST(GroundHosts, that_are_in_the_tree_are_offered_where_they_may_be_used) {
    GroundHosts ground(hosts("a b"), hosts("c"));
    const auto first_only = [](const GroundHosts::Entry& entry) { return entry.node == 1; };
    EXPECT_EQ(ground.offer(first_only).places, (Places{0, 2}));
    EXPECT_EQ(ground.offer(any).places, (Places{0, 1, 2}));
}

}  // namespace
}  // namespace launch
