// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace launch {

/// The meaning of a library for the question which protocol a program uses, by its file name.
enum class LibraryRole : uint8_t {
    other,  ///< it may link an MPI library itself
    plain,  ///< it never does
    pmi,    ///< an MPI library, or another client, that speaks PMI-1 or PMI-2
    pmix,   ///< the same for PMIx
    mpi,    ///< an MPI library whose name several families use: what is in it tells
};

LibraryRole role_of_library(std::string_view name);

/// Cray MPICH's. Its own libpmi speaks only to the launchers of Slurm and PALS.
bool is_of_cray(std::string_view name);

/// pmi, pmix or other (unknown), by the symbols of an MPI library, as read_dynamic_names() returns
/// them: MPICH and its descendants export some of their own beside MPI's, and so does Open MPI.
LibraryRole role_of_symbols(std::string_view names);

/// The role according to the name, for an MPI library that cannot be read or has the symbols of
/// neither family: "libmpi.so.40" is Open MPI's, "libmpi.so.12" MPICH's or Intel's,
/// "libmpi_abi.so.1" can be either.
LibraryRole role_of_version(std::string_view name);

}  // namespace launch
