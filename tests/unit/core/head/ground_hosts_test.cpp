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

FailureMessage failure(NodeIndex node, const char* cause) {
    FailureMessage failure;
    failure.node = node;
    failure.error.cause = cause;
    return failure;
}

bool all_up(NodeIndex) {
    return true;
}

TEST(GroundHosts, are_started_when_processes_are_to_go_there) {
    GroundHosts ground(hosts("a:2 b:2"), hosts("c d"));
    EXPECT_EQ(ground.offer(all_up).places, (Places{0, 1, 2, 3}));
    EXPECT_EQ(ground.at(1).node, 2U);
    const Places chosen{1, 2, 3};
    EXPECT_EQ(ground.idle(chosen), (Places{2, 3}));
    ground.starts(2, 3);
    ground.starts(3, 4);
    EXPECT_TRUE(ground.idle(chosen).empty());
    EXPECT_TRUE(ground.any_starting({1, 3}));
    EXPECT_FALSE(ground.any_starting({0, 1}));
    ground.came(2);
    ground.did_not_come(3, failure(4, "no route"));
    EXPECT_FALSE(ground.any_starting(chosen));
    EXPECT_TRUE(ground.failures({1, 2}).empty());
    ASSERT_EQ(ground.failures(chosen).size(), 1U);
    EXPECT_EQ(ground.failures(chosen)[0].error.cause, "no route");
}

TEST(GroundHosts, count_what_is_taken) {
    GroundHosts ground(hosts("a:2 b:2"), hosts("c"));
    ground.take(ranks({1, 2}), {0, 2});
    ground.take(ranks({2}), {2});
    EXPECT_EQ(ground.offer(all_up).used, (std::vector<uint32_t>{1, 0, 4}));
    ground.give_back(ranks({1, 2}), {0, 2});
    EXPECT_EQ(ground.offer(all_up).used, (std::vector<uint32_t>{0, 0, 2}));
}

TEST(GroundHosts, that_are_gone_are_for_those_who_name_them) {
    GroundHosts ground(hosts("localhost me@b"), hosts("c"));
    ground.starts(2, 3);
    ground.did_not_come(2, std::nullopt);
    EXPECT_EQ(ground.failures({2})[0].error.host, "c");
    ground.lose([](NodeIndex node) { return node == 2; });
    EXPECT_EQ(ground.offer(all_up).places, (Places{0}));
    // Whoever is known is not another one, whatever it goes by.
    ground.add(hosts("b here c:8 e"), "here");
    const auto offer = ground.offer(all_up);
    EXPECT_EQ(offer.places, (Places{0, 1, 2, 3}));
    EXPECT_EQ(offer.hosts[3].name, "e");
    EXPECT_EQ(ground.idle(offer.places), (Places{1, 2, 3}));
    // Its former node may be another's by now.
    ground.lose([](NodeIndex) { return true; });
    EXPECT_EQ(ground.at(1).state, State::idle);
}

TEST(GroundHosts, that_were_asked_for_in_vain_are_for_nobody_else) {
    GroundHosts ground(hosts("a b"), hosts("c"));
    ground.starts(2, 3);
    ground.did_not_come(2, std::nullopt);
    const auto added = ground.add(hosts("a c d e"), "");
    EXPECT_EQ(ground.offer(all_up).places, (Places{0, 1, 2, 3, 4}));
    ground.undo(added);
    EXPECT_EQ(ground.offer(all_up).places, (Places{0, 1}));
    EXPECT_FALSE(ground.find(hosts("d")[0], ""));
    EXPECT_TRUE(ground.find(hosts("c")[0], ""));
}

TEST(GroundHosts, that_are_not_up_yet_are_not_offered_and_not_lost) {
    GroundHosts ground(hosts("a b"), {});
    const auto first_only = [](NodeIndex node) { return node == 1; };
    EXPECT_EQ(ground.offer(first_only).places, (Places{0}));
    EXPECT_EQ(ground.offer(all_up).places, (Places{0, 1}));
}

}  // namespace
}  // namespace launch
