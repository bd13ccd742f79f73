// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "modex/detect/library_search.hpp"
#include "modex/detect/pmi_needs.hpp"

namespace launch {

/// The environment's say in what a program links.
struct LoaderEnv {
    std::string library_path;  ///< LD_LIBRARY_PATH
    std::string preload;       ///< LD_PRELOAD
};

/// Adds the protocols of the MPI libraries of a program, its own or those of the libraries that it
/// links; false if it has none.
bool add_linked_mpi(const FoundElf& program, const LoaderEnv& env, LibrarySearch& search,
                    PmiNeeds& needs);

}  // namespace launch
