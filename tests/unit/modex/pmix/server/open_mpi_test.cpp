// SPDX-License-Identifier: MIT
#include "modex/pmix/server/open_mpi.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

using Lines = std::vector<std::string>;

/// Four ranks on this node.
PmixJob four_ranks(uint32_t processors) {
    return {.size = 4,
            .hosts = {"a"},
            .ranks = {{{0, 4, 1}}},
            .programs = {},
            .processors = processors,
            .folders = {"/f"}};
}

bool says(const Lines& settings, const std::string& line) {
    return std::find(settings.begin(), settings.end(), line) != settings.end();
}

TEST(OpenMpi, RanksYieldWhereThereAreMoreThanCpus) {
    const std::string yields = "OMPI_MCA_mpi_oversubscribe=1";
    EXPECT_TRUE(says(open_mpi_settings(four_ranks(3)), yields));
    EXPECT_FALSE(says(open_mpi_settings(four_ranks(4)), yields));
    EXPECT_FALSE(says(open_mpi_settings(four_ranks(0)), yields)) << "not known";
}

TEST(OpenMpi, SharedMemoryIsNotWhereARankThatEndsRemovesFiles) {
    const PmixJob job = four_ranks(4);
    EXPECT_FALSE(job.folders.memory().starts_with(job.folders.session()));
    EXPECT_TRUE(job.folders.memory().starts_with(job.folders.top + "/"));
    const auto settings = open_mpi_settings(job);
    for (const std::string name : {"vader", "sm"})
        EXPECT_TRUE(
            says(settings, "OMPI_MCA_btl_" + name + "_backing_directory=" + job.folders.memory()));
}

TEST(OpenMpi, RanksLookAtTheMachineOnlyIfTheyAreToBindThemselves) {
    const std::string bound = "OMPI_MCA_orte_bound_at_launch=1";
    const auto settings = open_mpi_settings(four_ranks(4));
    Lines env{"A=1"};
    add_open_mpi_settings(env, settings);
    EXPECT_TRUE(says(env, bound));
    Lines binds{"OMPI_MCA_hwloc_base_binding_policy=core"};
    add_open_mpi_settings(binds, settings);
    EXPECT_FALSE(says(binds, bound));
    EXPECT_EQ(binds.size(), settings.size()) << "the others are there";
}

}  // namespace
}  // namespace launch
