// SPDX-License-Identifier: MIT
#include "core/head/stack_kind.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(StackKind, frames_tell_who_waits_in_mpi) {
    const struct {
        std::vector<std::string> frames;
        bool in_mpi;
    } rows[] = {
        {{"main", "MPI_Recv", "opal_progress"}, true},
        {{"main", "PMPI_Allreduce"}, true},
        {{"MAIN__", "mpi_barrier_"}, true},
        {{"MAIN__", "pmpi_waitall__"}, true},
        {{"MAIN__", "mpi_recv_f08ts_", "poll"}, true},
        {{"MAIN__", "mpi_solve_"}, false},
        {{"main", "mca_solve", "opal_solve"}, false},
        {{"main", "MPI_"}, false},
        {{"main", "solve"}, false},
        {{"main", "my_MPI_Recv"}, false},
        {{"main", "MPI_File_write_all", "opal_progress"}, false},
        {{}, false},
    };
    for (const auto& row : rows)
        EXPECT_EQ(is_in_mpi({"app", row.frames, ""}), row.in_mpi) << row.frames.size();
}

TEST(StackKind, the_innermost_function_tells_who_sleeps) {
    EXPECT_TRUE(is_asleep({"sh", {"main", "waitproc", "wait3", "__GI___wait4"}, ""}));
    EXPECT_TRUE(is_asleep({"app", {"main", "clock_nanosleep"}, ""}));
    EXPECT_TRUE(is_asleep({"app", {"main", "solve"}, "stopped"}));
    EXPECT_FALSE(is_asleep({"app", {"main", "pause", "on_signal"}, ""}));
    EXPECT_FALSE(is_asleep({"app", {"main", "my_read"}, ""}));
    EXPECT_FALSE(is_asleep({"app", {}, "ended while stacks were read"}));
}

}  // namespace
}  // namespace launch
