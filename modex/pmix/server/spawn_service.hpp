// SPDX-License-Identifier: MIT
#pragma once

#include <pmix_server.h>

#include "modex/pmix/server/inbox.hpp"

namespace launch {

/// PMIx_Spawn, as a callback of libpmix hands it over: asks PmixEvents, and answers by the name of
/// the new namespace when its processes start. Attributes of the whole job hold for each program
/// that has none of its own.
pmix_status_t spawn_processes(Inbox& inbox, uint32_t rank, const pmix_info_t* infos, size_t count,
                              const pmix_app_t* apps, size_t app_count, pmix_spawn_cbfunc_t answer,
                              void* cookie);

}  // namespace launch
