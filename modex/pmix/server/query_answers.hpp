// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "modex/pmix/server/inbox.hpp"

namespace launch {

/// Answers queries of ranks and tools: the namespaces of the jobs here, an empty list of process
/// sets, 0 as the number of sets and of groups, and the tables of a job's processes, of this node
/// or of all. libpmix itself answers queries about the job; other queries are not supported.
pmix_status_t answer_queries(const std::vector<std::shared_ptr<Inbox>>& jobs,
                             const pmix_query_t* queries, size_t count, pmix_info_cbfunc_t answer,
                             void* cookie);

}  // namespace launch
