// SPDX-License-Identifier: MIT
#pragma once

#include <pmix_server.h>
#include <string>

namespace launch {

/// PMIx's connect, disconnect and groups, with the processes and directives of the call. Called on
/// libpmix's thread, once a node: when all members here, of any job, have come. Answered when those
/// of all nodes have (PmixEvents::pmix_collective).
pmix_status_t connect_members(const pmix_proc_t* procs, size_t count, const pmix_info_t* infos,
                              size_t info_count, pmix_op_cbfunc_t answer, void* cookie);
pmix_status_t disconnect_members(const pmix_proc_t* procs, size_t count, const pmix_info_t* infos,
                                 size_t info_count, pmix_op_cbfunc_t answer, void* cookie);
/// A fence whose members are of several jobs.
pmix_status_t fence_members(const pmix_proc_t* procs, size_t count, const pmix_info_t* infos,
                            size_t info_count, std::string data, pmix_modex_cbfunc_t answer,
                            void* cookie);
pmix_status_t group_members(pmix_group_operation_t operation, const char* name,
                            const pmix_proc_t* procs, size_t count, const pmix_info_t* infos,
                            size_t info_count, pmix_info_cbfunc_t answer, void* cookie);

}  // namespace launch
