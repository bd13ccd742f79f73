#pragma once

#include <cstdint>
#include <string>

#include "core/job/modex_choice.hpp"
#include "modex/detect/pmi_needs.hpp"

namespace launch {

/// One line for the user whose ranks have exited without a word to the modex, though they run
/// `program`, which links an MPI library: each was probably alone in its own world. Says what to
/// try; empty where nothing is strange, as with one rank or no such library.
std::string silence_hint(uint32_t ranks, const std::string& program, const PmiNeeds& needs,
                         PmiChoice choice);

}  // namespace launch
