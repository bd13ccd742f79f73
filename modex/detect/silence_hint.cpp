// SPDX-License-Identifier: MIT
#include "modex/detect/silence_hint.hpp"

#include "modex/detect/mpi_library.hpp"

namespace launch {
namespace {

std::string advice(const PmiNeeds& needs, PmiChoice choice) {
    if (is_of_cray(needs.library))
        return "Cray MPICH knows its ranks only under Slurm and PALS, so each rank ran alone: "
               "start "
               "it with srun or with the mpiexec of PALS, or link it with MPICH";
    if (choice == PmiChoice::none) return "leave out --pmi none";
    if (names_pmi(choice) && !needs.pmi)
        return "this library uses PMIx: leave out --pmi, or try --pmi pmix";
    if (choice == PmiChoice::pmix && !needs.pmix)
        return "this library uses PMI-1 or PMI-2: leave out --pmi, or try --pmi pmi1";
    if (!needs.pmi)
        return "if they called MPI_Init, each rank ran alone: does the program set variables of "
               "another "
               "launcher?";
    const bool had_pmix = choice == PmiChoice::pmix || (!names_pmi(choice) && needs.pmix);
    const std::string other = had_pmix ? "pmi1" : "pmix";
    return "if they called MPI_Init, try --pmi " + other;
}

}  // namespace

std::string silence_hint(uint32_t ranks, const std::string& program, const PmiNeeds& needs,
                         PmiChoice choice) {
    if (ranks < 2 || needs.library.empty()) return {};
    const bool asked = choice != PmiChoice::automatic && choice != PmiChoice::none;
    if (needs.imported && !asked) return {};
    return "all ranks on this host exited without using PMI, although " + program + " links " +
           needs.library + "; " + advice(needs, choice);
}

}  // namespace launch
