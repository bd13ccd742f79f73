// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "modex/pmix/server/inbox.hpp"

namespace launch {

/// Answers what ranks query: the namespaces there are, those of the jobs here, and that there are
/// no sets of processes and no groups. What libpmix knows of the job it answers itself; the rest is
/// not supported.
pmix_status_t answer_queries(const std::vector<std::shared_ptr<Inbox>>& jobs,
                             const pmix_query_t* queries, size_t count, pmix_info_cbfunc_t answer,
                             void* cookie);

}  // namespace launch
