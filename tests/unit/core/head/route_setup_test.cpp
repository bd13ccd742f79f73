// SPDX-License-Identifier: MIT
#include "core/head/route_setup.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

RoutesMessage nodes(std::initializer_list<NodeIndex> list) {
    RoutesMessage routes;
    for (const NodeIndex node : list)
        routes.stops.push_back({{node, "10.0.0.1", 7}, "n"});
    return routes;
}

TEST(RouteSetup, NobodyIsWaitedForWhoHasSaidWhereItIsOrIsLost) {
    RouteSetup setup;
    setup.ask(nodes({0, 1, 4, 5, 7}));
    setup.heard({4, 1, 1, {}});
    setup.heard({4, 1, 1, {}});
    setup.heard({2, 1, 1, {}});  // it was not asked
    setup.lost(6);
    EXPECT_EQ(setup.waiting(), (std::vector<NodeIndex>{1, 5, 7}));
    setup.heard({1, 0, 0, {}});
    setup.lost(5);
    setup.heard({7, 4, 4, {}});
    EXPECT_TRUE(setup.waiting().empty());
    EXPECT_TRUE(setup.detours().empty());
}

TEST(RouteSetup, WhoGotAnotherPlaceIsToldOfWithThoseOfTheSameReason) {
    RouteSetup setup;
    setup.ask(nodes({0, 1, 2, 3, 4}));
    setup.heard({2, 0, 1, "connection refused"});
    setup.heard({3, 0, 1, "no route to host"});
    setup.heard({4, 0, 1, "connection refused"});
    ASSERT_EQ(setup.detours().size(), 2U);
    EXPECT_EQ(setup.detours()[0].nodes, (std::vector<NodeIndex>{2, 4}));
    EXPECT_EQ(setup.detours()[0].wanted, 1U);
    EXPECT_EQ(setup.detours()[0].parent, 0U);
    EXPECT_EQ(setup.detours()[1].cause, "no route to host");
    EXPECT_EQ(setup.waiting(), (std::vector<NodeIndex>{1}));
}

TEST(RouteSetup, EachPhaseHasItsTime) {
    RouteSetup setup;
    EXPECT_EQ(setup.phase(), RouteSetup::Phase::none);
    EXPECT_FALSE(setup.late());
    setup.enter(RouteSetup::Phase::contacts, Clock::now() - std::chrono::seconds(1));
    EXPECT_TRUE(setup.late());
    setup.enter(RouteSetup::Phase::moving, Clock::now() + std::chrono::hours(1));
    EXPECT_FALSE(setup.late());
    EXPECT_FALSE(setup.was_away());
}

/// Who looks in time finds that it is over a moment ago, and who was stopped that it was long ago.
TEST(RouteSetup, KnowsThatThisProcessWasAwayWhenTheTimeWasOver) {
    RouteSetup setup;
    setup.enter(RouteSetup::Phase::moving, Clock::now() - patience::hold / 2);
    EXPECT_TRUE(setup.late());
    EXPECT_FALSE(setup.was_away());
    setup.enter(RouteSetup::Phase::moving, Clock::now() - patience::hold);
    EXPECT_TRUE(setup.was_away());
}

}  // namespace
}  // namespace launch
