// SPDX-License-Identifier: MIT
#include "modex/detect/mixed_job.hpp"

#include <gtest/gtest.h>

#include "tests/unit/golden.hpp"

namespace launch {
namespace {

TEST(MixedJob, IsToldOfWhereProgramsCannotMeet) {
    const PmiNeeds mpich{.pmi = true, .pmix = false, .library = "libmpich.so.12", .program = "/a"};
    const PmiNeeds openmpi{.pmi = false, .pmix = true, .library = "libmpi.so.40", .program = "/b"};
    const PmiNeeds either{.pmi = true, .pmix = true, .library = "libmpi.so.40", .program = "/py"};
    const PmiNeeds python{.pmi = true,
                          .pmix = false,
                          .library = "libmpich.so.12",
                          .program = "/py",
                          .imported = true};
    const PmiNeeds plain{.pmi = true, .pmix = false, .library = "", .program = ""};
    const std::string hint = mixed_job_hint({mpich, openmpi}, PmiChoice::automatic);
    expect_told({"/a links libmpich.so.12", "/b links libmpi.so.40"}, hint);
    struct {
        const char* row;
        std::vector<PmiNeeds> programs;
        PmiChoice choice;
        std::string hint;
    } rows[] = {
        {"two libraries", {mpich, openmpi}, PmiChoice::automatic, hint},
        {"the other way round, with others",
         {plain, openmpi, either, mpich, mpich},
         PmiChoice::automatic,
         hint},
        {"both are offered what one of them speaks", {mpich, openmpi}, PmiChoice::pmi1, hint},
        {"nothing is offered", {mpich, openmpi}, PmiChoice::none, ""},
        {"one library", {mpich, mpich}, PmiChoice::automatic, ""},
        {"one program", {openmpi}, PmiChoice::automatic, ""},
        {"no library is found", {plain, openmpi}, PmiChoice::automatic, ""},
        {"one that may speak both", {either, mpich}, PmiChoice::automatic, ""},
        {"Python, which may import no MPI", {python, openmpi}, PmiChoice::automatic, ""},
        {"no program", {}, PmiChoice::automatic, ""},
    };
    for (const auto& row : rows)
        EXPECT_EQ(mixed_job_hint(row.programs, row.choice), row.hint) << row.row;
}

}  // namespace
}  // namespace launch
