// SPDX-License-Identifier: MIT
// Whole runs of jobs whose start takes too long, or is ended.

#include "tests/unit/core/harness/a_job.hpp"

namespace launch {
namespace {

using Ranks = std::vector<uint32_t>;

/// A job on hosts n1 to n4 in a chain, of which n2 answers a login after five seconds.
struct ASlowStart : AJob {
    void with_limit(std::optional<milliseconds> limit, bool allow_missing,
                    const std::string& topology = "chain") {
        JobSpec spec = JobWorld::spec(4, 1, topology);
        spec.start_limit = limit;
        spec.allow_missing = allow_missing;
        if (allow_missing) spec.programs.front().ranks = 0;
        with(std::move(spec));
        login(2, {Login::Answer::accepts, seconds{5}});
    }
};

TEST_F(ASlowStart, ends_the_job_at_its_limit_and_names_all_that_are_not_up) {
    with_limit(seconds{2}, false);
    EXPECT_EQ(world->play(), 69);
    EXPECT_TRUE(is_said("launch: n[2-4]: start: not started within 2 s (if the start takes longer"))
        << world->user.err();
    EXPECT_EQ(started(), Ranks());
    EXPECT_LT(world->took(), seconds{2} + patience::leave_head);
}

/// Hosts that come up a moment later are missing, too.
TEST_F(ASlowStart, is_done_without_hosts_that_are_not_up_by_its_limit) {
    const struct {
        std::string topology;
        Ranks ranks;
        std::string without;
    } rows[] = {{"chain", {0}, "n[2-4]"}, {"flat", {0, 1, 2}, "n2"}};
    for (const auto& row : rows) {
        with_limit(seconds{2}, true, row.topology);
        all(rests(seconds{10}));
        EXPECT_EQ(world->play(), 0) << world->user.err();
        EXPECT_EQ(started(), row.ranks);
        EXPECT_TRUE(is_said("goes on without " + row.without + ": ")) << world->user.err();
        EXPECT_EQ(world->took(), seconds{12});
    }
}

TEST_F(ASlowStart, is_ended_at_once_by_an_interrupt) {
    with_limit({}, true);
    send_after(seconds{1}, SIGINT);
    EXPECT_EQ(world->play(), 128 + SIGINT);
    EXPECT_EQ(started(), Ranks());
    EXPECT_LT(world->took(), seconds{2});
}

/// Also one that has others below it, which go to another parent.
TEST_F(ASlowStart, is_the_end_of_the_job_where_a_host_is_lost_that_was_up) {
    const struct {
        std::string topology;
        NodeIndex lost;
    } rows[] = {{"flat", 1}, {"chain", 2}};
    for (const auto& row : rows) {
        with_limit({}, false, row.topology);
        login(2, {});
        login(4, {Login::Answer::accepts, seconds{5}});
        kill_after(seconds{1}, row.lost);
        EXPECT_EQ(world->play(), 69) << row.topology;
        EXPECT_TRUE(is_said("launch: n" + std::to_string(row.lost) + ": run: "))
            << world->user.err();
        EXPECT_TRUE(is_said("no rank was started")) << world->user.err();
        EXPECT_EQ(started(), Ranks());
    }
}

}  // namespace
}  // namespace launch
