// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "cmd/doctor/host_facts.hpp"

namespace launch {

/// The MPI and PMIx libraries that programs would be given here, by their own word for what they
/// are. It takes no longer than some seconds.
std::vector<LibraryFact> look_at_libraries();

/// Returns name and version from the version text of a library: "MPICH Version: 4.0.2 ..." is
/// MPICH, 4.0.2.
LibraryFact library_of(const std::string& said);

}  // namespace launch
