// SPDX-License-Identifier: MIT
#include "modex/detect/mixed_job.hpp"

#include <algorithm>

namespace launch {
namespace {

std::string link_of(const PmiNeeds& needs) {
    return needs.program + " links " + needs.library;
}

}  // namespace

std::string mixed_job_hint(const std::vector<PmiNeeds>& programs, PmiChoice choice) {
    if (choice == PmiChoice::none) return {};
    // Python's protocol depends on the modules that it imports.
    const auto speaks = [&](bool pmi, bool pmix) {
        return std::find_if(programs.begin(), programs.end(), [=](const PmiNeeds& needs) {
            return !needs.library.empty() && !needs.imported && needs.pmi == pmi &&
                   needs.pmix == pmix;
        });
    };
    const auto with_pmi = speaks(true, false);
    const auto with_pmix = speaks(false, true);
    if (with_pmi == programs.end() || with_pmix == programs.end()) return {};
    return link_of(*with_pmi) + " and " + link_of(*with_pmix) +
           "; ranks of two MPI libraries cannot form one job and may wait for each other "
           "forever; build both programs with one MPI library, or start two jobs";
}

}  // namespace launch
