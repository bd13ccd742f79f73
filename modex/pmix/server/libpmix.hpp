// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <pmix.h>
#include <pmix_server.h>
#include <string>

#include "core/base/error.hpp"

namespace launch {

/// The functions of libpmix that we call, by libpmix's names. The library is opened when the first
/// program that may speak PMIx is started: most jobs need it nowhere, and a node may lack it.
///
/// Its release may be another one than that of the headers here. From 3.2 to 6.1 the structures and
/// numbers that we use are the same, except that the table of callbacks grows (callbacks.hpp).
struct LibPmix {
    /// $LAUNCH_LIBPMIX, if set, else the first usable one of `preferred` (empty: none) and the
    /// places of the loader and of distributions. An Error if no usable one exists.
    static Result<std::shared_ptr<const LibPmix>> open(const std::string& preferred);

    /// Its major number; 0: not known.
    int release() const;

    /// "not found (-46)"
    std::string error_text(pmix_status_t status) const;

#define LAUNCH_LIBPMIX_FUNCTIONS(X)  \
    X(PMIx_server_init)              \
    X(PMIx_server_finalize)          \
    X(PMIx_server_register_nspace)   \
    X(PMIx_server_deregister_nspace) \
    X(PMIx_server_register_client)   \
    X(PMIx_server_deregister_client) \
    X(PMIx_server_setup_fork)        \
    X(PMIx_server_dmodex_request)    \
    X(PMIx_generate_regex)           \
    X(PMIx_generate_ppn)             \
    X(PMIx_server_IOF_deliver)       \
    X(PMIx_Register_event_handler)   \
    X(PMIx_Notify_event)             \
    X(PMIx_Data_pack)                \
    X(PMIx_Data_unpack)              \
    X(PMIx_Get_version)              \
    X(PMIx_Error_string)

// NOLINTNEXTLINE(bugprone-macro-parentheses): a member of that name
#define LAUNCH_DECLARE(name) decltype(&::name) name = nullptr;
    LAUNCH_LIBPMIX_FUNCTIONS(LAUNCH_DECLARE)
#undef LAUNCH_DECLARE

    /// Before 4.1.3 it is a macro of the headers: then ours, which frees texts and bytes.
    void (*PMIx_Value_destruct)(pmix_value_t* value) = nullptr;
};

}  // namespace launch
