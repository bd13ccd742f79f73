// SPDX-License-Identifier: MIT
#pragma once

#include "modex/pmix/server/inbox.hpp"

namespace launch {

/// PMIx's publish, lookup and unpublish with their names and values. Called on libpmix's thread
/// with its arguments; a value travels as the publishing rank and the bytes of PMIx_Data_pack. A
/// range of processes that the caller lists (PMIX_RANGE_CUSTOM) is treated as the session.
pmix_status_t publish_names(Inbox& inbox, const pmix_proc_t& publisher, const pmix_info_t* infos,
                            size_t count, pmix_op_cbfunc_t answer, void* cookie);
/// With PMIX_WAIT answered when so many of the keys are there (0: all); after PMIX_TIMEOUT the rest
/// is given up, and it is answered when the root of the tree knows that.
pmix_status_t lookup_names(Inbox& inbox, uint32_t rank, char** keys, const pmix_info_t* infos,
                           size_t count, pmix_lookup_cbfunc_t answer, void* cookie);
/// Without keys a rank means all that it has published: not supported, nobody keeps the list.
pmix_status_t unpublish_names(Inbox& inbox, uint32_t rank, char** keys, pmix_op_cbfunc_t answer,
                              void* cookie);

}  // namespace launch
