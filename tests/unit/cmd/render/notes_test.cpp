// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "cmd/render/dry_run.hpp"
#include "tests/unit/cmd/words.hpp"
#include "tests/unit/modex/detect/fake_files.hpp"

namespace launch {
namespace {

using Words = std::vector<std::string>;

TEST(Notes, TellWhatMayNotHaveBeenMeant) {
    FakeFiles files;
    files.add("/here/mpich", ElfImage{.needed = {"libmpich.so.12"}}.bytes());
    files.add("/here/openmpi", ElfImage{.needed = {"libmpi.so.40"}}.bytes());
    const std::string mixed =
        "/here/mpich links libmpich.so.12 and /here/openmpi links libmpi.so.40; ranks of two "
        "MPI libraries cannot form one job and may wait for each other forever; build both "
        "programs with one MPI library, or start two jobs";
    struct {
        const char* words;
        Words notes;
    } rows[] = {
        {"-n 900 -hosts n[1-100] app", {"900 ranks on 100 slots"}},
        {"-n 3 -hosts a:2 app", {"3 ranks on 2 slots"}},
        {"-n 2 -hosts a app", {"2 ranks on 1 slot"}},
        {"-n 9 -ppn 2 -hosts a,b app", {"9 ranks on 4 slots"}},
        {"-n 100 -hosts n[1-100] app", {}},
        {"-n 100 app", {}},
        {"-n 1 ./mpich : -n 1 ./openmpi", {mixed}},
        {"-n 2 -hosts a ./openmpi : -n 1 ./mpich", {"3 ranks on 1 slot", mixed}},
        {"-n 1 ./mpich : -n 1 ./mpich", {}},
        {"--pmi none -n 1 ./mpich : -n 1 ./openmpi", {}},
    };
    for (const auto& row : rows)
        EXPECT_EQ(notes_of(plan_of(row.words), files), row.notes) << row.words;
}

TEST(Notes, CostNoLookAtOneProgram) {
    FakeFiles files;
    EXPECT_TRUE(notes_of(plan_of("-n 4 ./mpich"), files).empty());
    EXPECT_TRUE(files.opened().empty());
}

}  // namespace
}  // namespace launch
