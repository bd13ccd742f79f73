// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "core/job/modex_choice.hpp"
#include "modex/detect/pmi_needs.hpp"

namespace launch {

/// One line for the user whose ranks have exited without a word to the modex, though they run
/// `program`, which links an MPI library: each was probably alone in its own world. Says what to
/// try; empty where nothing is strange, as with one rank or no such library. A Python that has an
/// MPI runs scripts without it most of the time: of that it is strange only where the user has
/// asked for a protocol.
std::string silence_hint(uint32_t ranks, const std::string& program, const PmiNeeds& needs,
                         PmiChoice choice);

}  // namespace launch
