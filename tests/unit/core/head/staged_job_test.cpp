// SPDX-License-Identifier: MIT
// Whole runs of jobs with a file that every host gets before ranks start there.

#include "core/stage/segments.hpp"
#include "tests/unit/core/harness/a_job.hpp"
#include "tests/unit/core/harness/played_file.hpp"

namespace launch {
namespace {

/// The file takes four messages.
struct AStagedJob : AJob {
    void with_file(JobSpec spec) {
        spec.stage = file.spec();
        with(std::move(spec));
        world->ranks.staged = file.content();
    }
    /// Fails where a rank has found another file.
    void expect_right_files() {
        for (const auto& [rank, life] : world->ranks.lives)
            EXPECT_EQ(life.wrong_file, "") << rank;
    }

    PlayedFile file{3 * Segments::size + 1};
};

TEST_F(AStagedJob, has_the_file_on_each_host_when_ranks_start_and_leaves_none) {
    for (const char* const tree : {"chain", "kary:2", "flat"}) {
        with_file(JobWorld::spec(4, 2, tree));
        EXPECT_EQ(world->play(), 0) << world->user.err();
        EXPECT_EQ(started().size(), 8U);
        expect_right_files();
        world.reset();
        EXPECT_EQ(file.copies(), 0U);
    }
}

TEST_F(AStagedJob, ends_and_says_why_where_the_head_cannot_read_the_file) {
    with_file(JobWorld::spec(3));
    file.remove();
    EXPECT_EQ(world->play(), 73);
    EXPECT_TRUE(is_said(file.path())) << world->user.err();
    EXPECT_EQ(started().size(), 0U);
}

TEST_F(AStagedJob, goes_on_without_a_host_that_is_lost_while_the_file_passes_through_it) {
    JobSpec spec = JobWorld::spec(4);
    spec.policies.host_loss = HostLoss::go_on;
    with_file(std::move(spec));
    world->network.quality = [] { return LinkQuality{.bytes_per_second = 100'000}; };
    kill_after(seconds{2}, 2);
    EXPECT_EQ(world->play(), 69);
    EXPECT_EQ(started(), (std::vector<uint32_t>{0, 2, 3})) << world->user.err();
    expect_right_files();
}

}  // namespace
}  // namespace launch
