#pragma once

#include <memory>
#include <pmix.h>
#include <pmix_server.h>
#include <string>

#include "core/base/error.hpp"

namespace launch {

/// The functions of libpmix that we call, by libpmix's names. The library is opened when the first
/// program that may speak PMIx is started: most jobs need it nowhere, and a node may lack it.
struct LibPmix {
    /// $LAUNCH_LIBPMIX, if set, else where the loader and distributions have it. An Error where
    /// there is none, or one that lacks a function.
    static Result<std::shared_ptr<const LibPmix>> open();

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
    X(PMIx_Notify_event)             \
    X(PMIx_Data_pack)                \
    X(PMIx_Data_unpack)              \
    X(PMIx_Value_destruct)           \
    X(PMIx_Error_string)

// NOLINTNEXTLINE(bugprone-macro-parentheses): a member of that name
#define LAUNCH_DECLARE(name) decltype(&::name) name = nullptr;
    LAUNCH_LIBPMIX_FUNCTIONS(LAUNCH_DECLARE)
#undef LAUNCH_DECLARE
};

}  // namespace launch
