// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "modex/detect/file_access.hpp"

namespace launch {

/// The protocols by which a program of the job may find its peers.
struct PmiNeeds {
    bool pmi = false;          ///< PMI-1 or PMI-2: MPICH, Intel MPI, MVAPICH
    bool pmix = false;         ///< PMIx: Open MPI
    std::string library;       ///< the MPI library that tells; empty where none was found
    std::string program;       ///< the file that links it
    std::string libpmix = {};  ///< the file that its ranks load, where they link one
    bool imported = false;     ///< that is a module of Python's, which the program may load or not

    bool operator==(const PmiNeeds&) const = default;
};

/// Goes by the libraries that the program links, and those linked by the programs that it will
/// start as far as its words and, of a script, its text show: wrappers such as nice and gdb,
/// shells, Python with mpi4py. Nothing found: PMI-1 and PMI-2, which cost least. Reads files as
/// `env` and `cwd` of the ranks lead to them; bounded in files and bytes, whatever they hold.
PmiNeeds needs_of(const std::vector<std::string>& argv, std::vector<std::string> env,
                  std::string cwd, FileAccess& files);

}  // namespace launch
