// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "core/job/job_spec.hpp"

namespace launch {

/// Which of the job's programs a rank runs; their number for a rank that the job does not have.
inline size_t program_index(const std::vector<Program>& programs, uint32_t rank) {
    size_t index = 0;
    while (index < programs.size() && rank >= programs[index].ranks)
        rank -= programs[index++].ranks;
    return index;
}

}  // namespace launch
