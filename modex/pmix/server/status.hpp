// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "modex/pmix/server/libpmix.hpp"

namespace launch {

/// Some functions say that they are done at once by a status of its own.
inline bool succeeded(pmix_status_t status) {
    return status == PMIX_SUCCESS || status == PMIX_OPERATION_SUCCEEDED;
}

inline Error refused(const LibPmix& lib, const char* function, pmix_status_t status) {
    return {.kind = ErrorKind::internal,
            .operation = "offer PMIx",
            .cause = std::string(function) + ": " + lib.error_text(status),
            .hint = "use another --pmi"};
}

}  // namespace launch
