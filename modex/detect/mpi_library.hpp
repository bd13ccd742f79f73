#pragma once

#include <cstdint>
#include <string_view>

namespace launch {

/// What a library is to the question which protocol a program speaks, by its file name.
enum class LibraryRole : uint8_t {
    other,  ///< it may link an MPI library itself
    plain,  ///< it never does
    pmi,    ///< an MPI library, or another client, that speaks PMI-1 or PMI-2
    pmix,   ///< the same for PMIx
};

/// "libmpi.so.40" is Open MPI's, "libmpi.so.12" MPICH's or Intel's.
LibraryRole role_of_library(std::string_view name);

}  // namespace launch
