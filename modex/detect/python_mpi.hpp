// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "modex/detect/file_access.hpp"

namespace launch {

/// The libraries of mpi4py that a Python interpreter would load, started as `path`: those in the
/// first of its usual folders that has any. None where it has no mpi4py.
std::vector<std::string> mpi4py_libraries(const std::string& path,
                                          const std::vector<std::string>& env, FileAccess& files);

/// "python", "python3", "python3.11", "pypy3"?
bool is_python(std::string_view program);

}  // namespace launch
