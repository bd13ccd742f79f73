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

TEST(RouteSetup, all_are_linked_when_each_has_said_so) {
    RouteSetup setup;
    setup.ask(nodes({0, 1, 4, 5}));
    EXPECT_EQ(setup.asked(), 3U);
    setup.heard({4, 1, {}});
    setup.heard({4, 1, {}});
    setup.heard({2, 1, {}});  // it was not asked
    EXPECT_FALSE(setup.all_linked());
    EXPECT_EQ(setup.waiting(), (std::vector<NodeIndex>{1, 5}));
    setup.heard({1, 0, {}});
    setup.heard({5, 4, {}});
    EXPECT_TRUE(setup.all_linked());
    EXPECT_FALSE(setup.failure());
}

TEST(RouteSetup, the_first_link_that_cannot_be_had_is_told_of) {
    RouteSetup setup;
    setup.ask(nodes({0, 1, 2}));
    setup.heard({2, 1, "connection refused"});
    setup.heard({1, 0, "no route to host"});
    ASSERT_TRUE(setup.failure());
    EXPECT_EQ(setup.failure()->node, 2U);
    EXPECT_EQ(setup.failure()->cause, "connection refused");
}

TEST(RouteSetup, each_phase_has_its_time) {
    RouteSetup setup;
    EXPECT_EQ(setup.phase(), RouteSetup::Phase::none);
    EXPECT_FALSE(setup.late());
    setup.enter(RouteSetup::Phase::contacts, Clock::now() - std::chrono::seconds(1));
    EXPECT_TRUE(setup.late());
    setup.enter(RouteSetup::Phase::links, Clock::now() + std::chrono::hours(1));
    EXPECT_FALSE(setup.late());
}

}  // namespace
}  // namespace launch
