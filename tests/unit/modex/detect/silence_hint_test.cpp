// SPDX-License-Identifier: MIT
#include "modex/detect/silence_hint.hpp"

#include <gtest/gtest.h>

#include "tests/unit/golden.hpp"

namespace launch {
namespace {

TEST(SilenceHint, SaysWhatToTry) {
    const PmiNeeds mpich{.pmi = true, .pmix = false, .library = "libmpich.so.12", .program = ""};
    const PmiNeeds openmpi{.pmi = false, .pmix = true, .library = "libmpi.so.40", .program = ""};
    const PmiNeeds cray{
        .pmi = true, .pmix = false, .library = "libmpi_gnu_91.so.12", .program = ""};
    const struct {
        PmiNeeds needs;
        PmiChoice choice;
        std::vector<std::string> told;
    } rows[] = {
        {mpich, PmiChoice::automatic, {"--pmi pmix"}},
        {mpich, PmiChoice::pmi2, {"--pmi pmix"}},
        {mpich, PmiChoice::pmix, {"--pmi pmi1"}},
        {mpich, PmiChoice::none, {"--pmi none"}},
        {cray, PmiChoice::automatic, {"srun", "PALS"}},
        {cray, PmiChoice::pmi2, {"srun", "PALS"}},
        {cray, PmiChoice::pmix, {"srun", "PALS"}},
        {openmpi, PmiChoice::automatic, {"another launcher"}},
        {openmpi, PmiChoice::pmi1, {"--pmi pmix"}},
    };
    for (const auto& row : rows) {
        std::vector<std::string> told{"./app", row.needs.library};
        told.insert(told.end(), row.told.begin(), row.told.end());
        expect_told(told, silence_hint(4, "./app", row.needs, row.choice));
    }
}

TEST(SilenceHint, IsSilentWhereNothingIsStrange) {
    const PmiNeeds unknown{.pmi = true, .pmix = false, .library = "", .program = ""};
    const PmiNeeds mpich{.pmi = true, .pmix = false, .library = "libmpich.so.12", .program = ""};
    EXPECT_EQ(silence_hint(4, "hostname", unknown, PmiChoice::automatic), "");
    EXPECT_EQ(silence_hint(1, "./app", mpich, PmiChoice::automatic), "");
    EXPECT_EQ(silence_hint(0, "./app", mpich, PmiChoice::automatic), "");
}

TEST(SilenceHint, APythonScriptNeedNotUseWhatPythonHas) {
    const PmiNeeds mpi4py{.pmi = true,
                          .pmix = true,
                          .library = "libmpi.so.40",
                          .program = "MPI.so",
                          .imported = true};
    EXPECT_EQ(silence_hint(4, "MPI.so", mpi4py, PmiChoice::automatic), "");
    EXPECT_EQ(silence_hint(4, "MPI.so", mpi4py, PmiChoice::none), "");
    expect_told({"MPI.so", "libmpi.so.40"}, silence_hint(4, "MPI.so", mpi4py, PmiChoice::pmi1));
}

}  // namespace
}  // namespace launch
