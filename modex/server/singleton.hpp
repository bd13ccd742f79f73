// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "core/base/error.hpp"

namespace launch {

/// Serves a program that was started by hand and has executed `mpiexec -pmi_args ...`, see
/// modex/pmi1/singinit.hpp: a job of one rank, until its connection ends. `words` are those after
/// -pmi_args. Runs in a child of the program, with descriptors of all kinds that are not meant
/// for it: it closes them, and of the standard streams it keeps the one for errors.
Status serve_singleton(const std::vector<std::string>& words, const std::string& job_id,
                       const std::string& log);

}  // namespace launch
