#include "modex/detect/silence_hint.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(SilenceHint, SaysWhatToTry) {
    const PmiNeeds mpich{.pmi = true, .pmix = false, .library = "libmpich.so.12", .program = ""};
    const PmiNeeds openmpi{.pmi = false, .pmix = true, .library = "libmpi.so.40", .program = ""};
    const PmiNeeds cray{
        .pmi = true, .pmix = false, .library = "libmpi_gnu_91.so.12", .program = ""};
    const std::string of_cray =
        "all ranks here exited and none spoke PMI although ./app links libmpi_gnu_91.so.12; "
        "Cray MPICH asks only Slurm and PALS who its ranks are, so each was alone: start it with "
        "srun or with the mpiexec of PALS, or link it with MPICH";
    const std::string of_mpich =
        "all ranks here exited and none spoke PMI although ./app links libmpich.so.12; ";
    const std::string of_openmpi =
        "all ranks here exited and none spoke PMI although ./app links libmpi.so.40; ";
    struct {
        PmiNeeds needs;
        PmiChoice choice;
        std::string hint;
    } rows[] = {
        {mpich, PmiChoice::automatic, of_mpich + "if they have called MPI_Init, try --pmi pmix"},
        {mpich, PmiChoice::pmi2, of_mpich + "if they have called MPI_Init, try --pmi pmix"},
        {mpich, PmiChoice::pmix,
         of_mpich + "it speaks PMI-1 or PMI-2: leave out --pmi, or try --pmi pmi1"},
        {mpich, PmiChoice::none, of_mpich + "leave out --pmi none"},
        {cray, PmiChoice::automatic, of_cray},
        {cray, PmiChoice::pmi2, of_cray},
        {cray, PmiChoice::pmix, of_cray},
        {openmpi, PmiChoice::automatic,
         of_openmpi + "if they called MPI_Init, each was alone there: do they set variables of "
                      "another launcher?"},
        {openmpi, PmiChoice::pmi1,
         of_openmpi + "it speaks PMIx: leave out --pmi, or try --pmi pmix"},
    };
    for (const auto& row : rows)
        EXPECT_EQ(silence_hint(4, "./app", row.needs, row.choice), row.hint);
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
    EXPECT_EQ(
        silence_hint(4, "MPI.so", mpi4py, PmiChoice::pmi1),
        "all ranks here exited and none spoke PMI although MPI.so links libmpi.so.40; if they have "
        "called MPI_Init, try --pmi pmix");
}

}  // namespace
}  // namespace launch
