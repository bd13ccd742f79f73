// SPDX-License-Identifier: MIT
#include "core/session/session_nodes.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

Host host(const std::string& name) {
    return {"", name, 0, 1};
}

SessionState session() {
    SessionState state;
    for (const char* name : {"a", "b", "c", "d"})
        state.hosts.push_back(
            {host(name), static_cast<NodeIndex>(state.hosts.size() + 1), true, false, 0, "", 0});
    return state;
}

SessionNodes nodes() {
    return *SessionNodes::find(session(), {host("d"), host("b")});
}

TEST(SessionNodes, AreThoseOfTheJobBothWays) {
    const auto found = nodes();
    EXPECT_EQ(found.size(), 2U);
    EXPECT_EQ(found.job_node(4), 1U);
    EXPECT_EQ(found.job_node(2), 2U);
    for (const NodeIndex other : {0U, 1U, 3U, 5U, 99U})
        EXPECT_EQ(found.job_node(other), 0U) << other;
    EXPECT_EQ(found.name_of(3), "c");
    EXPECT_EQ(found.name_of_job(1), "d");
    EXPECT_EQ(found.name_of(9), "the session's head");
    EXPECT_FALSE(SessionNodes::find(session(), {host("x")}));
}

TEST(SessionNodes, PutAnAssignmentInTheOrderOfTheTree) {
    AssignmentMessage placed{
        "j", {{1, HostRank{0}, {{0, 2, 1}}}, {2, HostRank{1}, {{2, 1, 1}}}}, {}, 0};
    const auto moved = nodes().to_session(placed);
    const std::vector<AssignmentMessage::Part> expected{{2, HostRank{1}, {{2, 1, 1}}},
                                                        {4, HostRank{0}, {{0, 2, 1}}}};
    EXPECT_EQ(moved.parts, expected);
    EXPECT_EQ(moved.job, "j");
}

TEST(SessionNodes, TellOfALossWhatConcernsTheJob) {
    FailureMessage failure;
    failure.node = 1;
    failure.was_up = true;
    failure.below = {{2, 1}, {4, 1}};
    failure.error.cause = "gone";
    const auto told = nodes().to_job(failure);
    ASSERT_TRUE(told);
    EXPECT_EQ(told->node, 2U);
    ASSERT_EQ(told->below.size(), 1U);
    EXPECT_EQ(told->below[0], (NodeRange{1, 1}));
    EXPECT_TRUE(told->was_up);
    EXPECT_TRUE(told->error.cause.starts_with("gone; b,d ")) << "a is none of the job's";
    failure.node = 4;
    EXPECT_EQ(nodes().to_job(failure)->error.cause, "gone") << "the job knows that host";
    failure.node = 1;
    failure.below = {{3, 1}, {1000000, 3}};
    EXPECT_FALSE(nodes().to_job(failure));
}

}  // namespace
}  // namespace launch
