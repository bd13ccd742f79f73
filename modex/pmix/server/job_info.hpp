// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "modex/pmix/pmix_job.hpp"
#include "modex/pmix/server/info_list.hpp"

namespace launch {

/// The hosts of the job, as PMIx_generate_regex wants them: "a,b,c".
std::string node_list(const PmixJob& job);

/// The ranks of each host, as PMIx_generate_ppn wants them: "0,1;2,3".
std::string rank_lists(const PmixJob& job);

/// All that this node's ranks can ask about the job without asking each other; `node_map` and
/// `proc_map` are the lists above after libpmix has packed them.
///
/// Of ranks on other nodes it tells nothing in particular: libpmix derives host and node of every
/// rank from the maps, and one entry a rank would make each node's start linear in the size of the
/// job with a large factor.
///
/// Open MPI 4.1 does not start without LOCAL_RANK, NODE_RANK, MAX_PROCS and JOB_SIZE; Open MPI 5
/// needs LOCAL_RANK, JOB_SIZE and LOCAL_SIZE or LOCAL_PEERS. It makes use of the folders TMPDIR,
/// NSDIR and PROCDIR, of NODE_OVERSUBSCRIBED, where its ranks then yield as they wait, and where
/// there are several programs of OMPI_APP_SIZES and OMPI_FIRST_RANKS. Ranks that are bound are told
/// CPUSET and LOCALITY_STRING of each other: by these it knows who shares a cache or a socket.
InfoList job_info(const PmixJob& job, const std::string& node_map, const std::string& proc_map);

/// What ranks of another job can ask about this one on a node where none of its ranks are: nothing
/// in it is of one node.
InfoList met_job_info(const PmixJob& job, const std::string& node_map, const std::string& proc_map);

}  // namespace launch
