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
    hosts.leave(1);
    EXPECT_FALSE(hosts.next_try());
    EXPECT_TRUE(hosts.due(start + patience::longest_try_again).empty());
    hosts.remove(1);
    EXPECT_EQ(hosts.all().size(), 2U);
    EXPECT_FALSE(hosts.down(1, "no", start, 0));
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
