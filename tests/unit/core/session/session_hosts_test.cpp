// SPDX-License-Identifier: MIT
#include "core/session/session_hosts.hpp"

#include <gtest/gtest.h>

#include "core/link/patience.hpp"

namespace launch {
namespace {

using State = SessionHosts::State;

const Clock::time_point start{std::chrono::hours{1}};

Host host(const std::string& name) {
    return {"", name, 0, 1};
}

SessionHosts three() {
    SessionHosts hosts;
    hosts.add({host("a"), host("b"), host("c")}, 1, start);
    hosts.stay();
    return hosts;
}

TEST(SessionHosts, ComeBackAsOtherNodes) {
    auto hosts = three();
    EXPECT_FALSE(hosts.up(2, start));  // for the first time
    EXPECT_TRUE(hosts.down(2, "gone", start, 0.5));
    EXPECT_FALSE(hosts.down(2, "again", start, 0.5));
    EXPECT_EQ(hosts.find(2)->why, "gone");
    EXPECT_TRUE(hosts.due(start).empty());
    const auto next = start + patience::try_again;
    EXPECT_EQ(hosts.next_try(), next);
    EXPECT_EQ(hosts.due(next), std::vector<Host>{host("b")});
    hosts.restart(host("b"), 4, next);
    EXPECT_TRUE(hosts.due(next).empty());
    EXPECT_EQ(hosts.find(2), nullptr);
    EXPECT_FALSE(hosts.up(2, next));  // the one before, late
    EXPECT_TRUE(hosts.up(4, next));
    EXPECT_EQ(hosts.find(host("b"))->state, State::up);
    EXPECT_FALSE(hosts.next_try());
}

TEST(SessionHosts, AreTriedEverMoreSeldomUpToALimit) {
    auto hosts = three();
    auto now = start;
    milliseconds pause{0};
    for (int i = 0; i < 12; ++i) {
        hosts.down(1, "no", now, 0.5);
        const auto next = std::chrono::duration_cast<milliseconds>(*hosts.next_try() - now);
        EXPECT_EQ(next, i == 0 ? patience::try_again
                               : std::min(2 * pause, milliseconds{patience::longest_try_again}));
        pause = next;
        now = *hosts.next_try();
        hosts.restart(host("a"), 1, now);
    }
    EXPECT_EQ(pause, patience::longest_try_again);
    hosts.up(1, now);
    hosts.down(1, "a moment later", now, 0.5);
    EXPECT_EQ(*hosts.next_try() - now, patience::longest_try_again);
    hosts.restart(host("a"), 1, now);
    hosts.up(1, now);
    now += patience::longest_try_again;
    hosts.down(1, "long after", now, 0.5);
    EXPECT_EQ(*hosts.next_try() - now, patience::try_again);
}

TEST(SessionHosts, DoNotComeAllAtOnce) {
    auto hosts = three();
    hosts.down(1, "no", start, 0);
    hosts.down(2, "no", start, 1);
    EXPECT_EQ(hosts.find(1)->next_try - start, patience::try_again * 3 / 4);
    EXPECT_EQ(hosts.find(2)->next_try - start, patience::try_again * 5 / 4);
}

TEST(SessionHosts, AreNotTriedAgainWhenTheyLeave) {
    auto hosts = three();
    hosts.down(1, "no", start, 0);
    hosts.leave({1});
    EXPECT_FALSE(hosts.next_try());
    EXPECT_TRUE(hosts.due(start + patience::longest_try_again).empty());
    hosts.remove({1});
    EXPECT_EQ(hosts.all().size(), 2U);
    EXPECT_FALSE(hosts.down(1, "no", start, 0));
}

TEST(SessionHosts, AreAsNewWhenTheyAreMended) {
    auto hosts = three();
    for (int i = 0; i < 5; ++i) {
        hosts.down(1, "no", start, 0.5);
        hosts.restart(host("a"), 1, start);
    }
    hosts.down(1, "no", start, 0.5);
    EXPECT_GT(*hosts.next_try() - start, patience::try_again);
    hosts.mended({"", "a", 0, 3});
    hosts.restart(host("a"), 7, start);
    EXPECT_EQ(hosts.find(7)->host.slots, 3U);
    hosts.down(7, "not yet", start, 0.5);
    EXPECT_EQ(*hosts.next_try() - start, patience::try_again);
    EXPECT_TRUE(hosts.restart(host("a"), 8, start));
    EXPECT_FALSE(hosts.restart({"u", "a", 0, 1}, 9, start));
}

TEST(SessionHosts, StayWhereAUserWantsThem) {
    constexpr SessionHosts::UserId one = 1, two = 2, three = 3;
    SessionHosts hosts;
    hosts.add({host("a"), host("b"), host("c")}, 1, start);
    const auto leaves = [&](NodeIndex node) { return hosts.find(node)->leaves(); };
    hosts.want({3}, three);
    hosts.answer(three, true);
    hosts.want({1, 2, 3}, one);
    hosts.want({1}, two);
    hosts.down(1, "no", start, 0.5);
    hosts.restart(host("a"), 4, start);  // which changes nothing for its users
    hosts.answer(two, true);
    hosts.answer(one, false);
    EXPECT_FALSE(leaves(4));
    EXPECT_TRUE(leaves(2));
    EXPECT_FALSE(leaves(3));
    hosts.leave({3});
    EXPECT_TRUE(leaves(3));
    hosts.want({3}, three);
    EXPECT_FALSE(leaves(3));
    hosts.answer(three, false);
    EXPECT_TRUE(leaves(3)) << "as before";
    hosts.want({2}, three);
    hosts.remove({2});
    hosts.add({host("b")}, 5, start);
    hosts.stay();
    hosts.answer(three, false);
    EXPECT_FALSE(leaves(5)) << "it is another one";
}

/// a is down, with two slots; b is up, c is up and leaves, d is being started.
TEST(SessionHosts, AreSortedWhenAUserAddsThem) {
    SessionHosts hosts;
    hosts.add({{"", "a", 0, 2}, host("b"), host("c"), host("d")}, 1, start);
    hosts.down(1, "no", start, 0.5);
    hosts.up(2, start);
    hosts.up(3, start);
    hosts.want({1, 2, 4}, 1);
    hosts.answer(1, true);
    const auto names = [](const std::vector<Host>& list) {
        std::string text;
        for (const Host& each : list)
            text += (each.user.empty() ? "" : each.user + "@") + each.name + ":" +
                    std::to_string(each.slots) + " ";
        return text;
    };
    const struct {
        std::vector<Host> wanted;
        const char *fresh, *down, *unsure, *there, *twice;
    } rows[] = {
        {{host("x"), {"u", "y", 0, 3}}, "x:1 u@y:3 ", "", "", "", ""},
        {{host("a"), host("x")}, "x:1 ", "a:2 ", "", "", ""},
        {{{"", "a", 0, 5}}, "", "a:5 ", "", "", ""},
        {{host("b"), host("c")}, "", "", "c:1 ", "b:1 ", ""},
        {{{"u", "x", 0, 1}, host("x")}, "u@x:1 ", "", "", "", "x:1 "},
        {{host("x"), {"u", "x", 0, 1}}, "x:1 ", "", "", "", "u@x:1 "},
        {{host("a"), host("a")}, "", "a:2 ", "", "", "a:1 "},
        {{{"u", "a", 0, 1}}, "u@a:1 ", "", "", "", ""},
        {{host("d"), host("d")}, "", "", "d:1 ", "", "d:1 "},
    };
    for (const auto& row : rows) {
        const AddedHosts added = sort_added(hosts, row.wanted);
        EXPECT_EQ(names(added.fresh), row.fresh);
        EXPECT_EQ(names(added.down), row.down);
        EXPECT_EQ(names(added.there), row.there);
        EXPECT_EQ(names(added.twice), row.twice);
        EXPECT_EQ(names(added.unsure), row.unsure);
    }
}

TEST(SessionHosts, AreKnownWithoutUserAndPort) {
    SessionHosts hosts;
    hosts.add({{"u", "d", 22, 4}}, 1, start);
    EXPECT_NE(hosts.find(host("d")), nullptr);
    EXPECT_NE(hosts.find(Host{"u", "d", 0, 1}), nullptr);
    EXPECT_EQ(hosts.find(Host{"v", "d", 0, 1}), nullptr);
}

}  // namespace
}  // namespace launch
