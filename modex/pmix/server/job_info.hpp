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

/// Everything that this node's ranks can query about the job without asking each other; `node_map`
/// and `proc_map` are the lists above after libpmix has packed them.
///
/// It has no entries for single ranks on other nodes: libpmix derives host and node of every rank
/// from the maps, and one entry per rank would make each node's start linear in the size of the job
/// with a large factor.
///
/// Open MPI 4.1 does not start without LOCAL_RANK, NODE_RANK, MAX_PROCS and JOB_SIZE; Open MPI 5
/// needs LOCAL_RANK, JOB_SIZE and LOCAL_SIZE or LOCAL_PEERS. It uses the folders TMPDIR, NSDIR and
/// PROCDIR, NODE_OVERSUBSCRIBED, with which its ranks yield while they wait, and, with several
/// programs, OMPI_APP_SIZES and OMPI_FIRST_RANKS. Bound ranks get each other's CPUSET and
/// LOCALITY_STRING: from these Open MPI knows which ranks share a cache or a socket.
InfoList job_info(const PmixJob& job, const std::string& node_map, const std::string& proc_map);

/// The facts that ranks of another job can query about this one on a node without its ranks: none
/// of them concerns a single node.
InfoList met_job_info(const PmixJob& job, const std::string& node_map, const std::string& proc_map);

}  // namespace launch
