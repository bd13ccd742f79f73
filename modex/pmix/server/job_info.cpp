// SPDX-License-Identifier: MIT
#include "modex/pmix/server/job_info.hpp"

#include <algorithm>

#include "core/base/list_text.hpp"

namespace launch {
namespace {

const std::vector<RankRun>& local_runs(const PmixJob& job) {
    return job.ranks[job.node];
}

std::string rank_list(const std::vector<RankRun>& runs) {
    std::string text;
    for_each_rank(runs, [&](uint32_t rank) { append_part(text, ",", std::to_string(rank)); });
    return text;
}

uint32_t program_of_rank(const PmixJob& job, uint32_t rank) {
    const auto after = std::upper_bound(
        job.programs.begin(), job.programs.end(), rank,
        [](uint32_t value, const PmixProgram& program) { return value < program.first_rank; });
    return after == job.programs.begin() ? 0
                                         : static_cast<uint32_t>(after - job.programs.begin()) - 1;
}

InfoList program_info(const PmixJob& job, uint32_t index) {
    const PmixProgram& program = job.programs[index];
    InfoList infos;
    infos.add_u32(PMIX_APPNUM, index);
    infos.add_u32(PMIX_APP_SIZE, program.ranks);
    infos.add_rank(PMIX_APPLDR, program.first_rank);
    if (!program.wdir.empty()) infos.add_string(PMIX_WDIR, program.wdir);
    infos.add_string(PMIX_APP_ARGV, joined(program.argv, " "));
    return infos;
}

InfoList rank_info(const PmixJob& job, uint32_t rank, uint16_t local_rank) {
    const uint32_t program = program_of_rank(job, rank);
    const uint32_t first = job.programs.empty() ? 0 : job.programs[program].first_rank;
    InfoList infos;
    infos.add_rank(PMIX_RANK, rank);  // first: it says whose the rest is
    infos.add_u32(PMIX_APPNUM, program);
    infos.add_rank(PMIX_APP_RANK, rank - first);
    infos.add_rank(PMIX_GLOBAL_RANK, rank);
    infos.add_u16(PMIX_LOCAL_RANK, local_rank);
    infos.add_u16(PMIX_NODE_RANK, local_rank);
    infos.add_u32(PMIX_NODEID, job.node);
    infos.add_string(PMIX_HOSTNAME, job.hosts[job.node]);
    infos.add_flag(PMIX_SPAWNED, !job.spawner.empty());
    infos.add_u32(PMIX_REINCARNATION, 0);
    infos.add_string(PMIX_PROCDIR, job.folders.of_rank(rank));
    if (job.is_bound(local_rank)) {
        infos.add_string(PMIX_CPUSET, to_string(job.bound[local_rank].cpus));
        infos.add_string(PMIX_LOCALITY_STRING, job.bound[local_rank].locality);
    }
    return infos;
}

/// The number for each program, in Open MPI's own form.
template <class F>
std::string of_programs(const PmixJob& job, F number) {
    std::vector<std::string> words;
    for (const auto& program : job.programs)
        words.push_back(std::to_string(number(program)));
    return joined(words, " ");
}

void add_job(InfoList& infos, const PmixJob& job) {
    infos.add_string(PMIX_JOBID, job.nspace);
    infos.add_u32(PMIX_JOB_SIZE, job.size);
    infos.add_u32(PMIX_MAX_PROCS, std::max(job.size, job.universe_size));
    infos.add_u32(PMIX_UNIV_SIZE, job.universe_size);
    infos.add_u32(PMIX_NUM_SLOTS, job.universe_size);
    infos.add_u32(PMIX_NUM_NODES, static_cast<uint32_t>(job.hosts.size()));
    infos.add_u32(PMIX_JOB_NUM_APPS, static_cast<uint32_t>(job.programs.size()));
    infos.add_string(PMIX_RM_NAME, "launch");
    if (job.stops_in_init) infos.add_rank(PMIX_DEBUG_STOP_IN_INIT, PMIX_RANK_WILDCARD);
    if (!job.spawner.empty()) {
        infos.add_flag(PMIX_SPAWNED, true);
        infos.add_proc(PMIX_PARENT_ID, make_proc(job.spawner, job.spawner_rank));
    }
    if (job.programs.size() < 2) return;
    infos.add_string("OMPI_APP_SIZES", of_programs(job, [](const auto& p) { return p.ranks; }));
    infos.add_string("OMPI_FIRST_RANKS",
                     of_programs(job, [](const auto& p) { return p.first_rank; }));
}

void add_node(InfoList& infos, const PmixJob& job) {
    const uint32_t ranks = local_size(local_runs(job));
    infos.add_string(PMIX_HOSTNAME, job.hosts[job.node]);
    infos.add_u32(PMIX_NODEID, job.node);
    infos.add_u32(PMIX_LOCAL_SIZE, ranks);
    infos.add_u32(PMIX_NODE_SIZE, ranks);
    infos.add_string(PMIX_LOCAL_PEERS, rank_list(local_runs(job)));
    if (ranks > 0) infos.add_rank(PMIX_LOCALLDR, local_runs(job).front().first);
    infos.add_string(PMIX_TMPDIR, job.folders.top);
    infos.add_string(PMIX_NSDIR, job.folders.session());
    infos.add_flag(PMIX_TDIR_RMCLEAN, true);
    // Open MPI 5 asks whether there is such a key, not what it says.
    if (job.oversubscribed()) infos.add_flag(PMIX_NODE_OVERSUBSCRIBED, true);
}

}  // namespace

std::string node_list(const PmixJob& job) {
    return joined(job.hosts, ",");
}

std::string rank_lists(const PmixJob& job) {
    std::string text;
    for (const auto& runs : job.ranks) {
        if (&runs != &job.ranks.front()) text += ';';
        text += rank_list(runs);
    }
    return text;
}

InfoList met_job_info(const PmixJob& job, const std::string& node_map,
                      const std::string& proc_map) {
    InfoList infos;
    infos.add_regex(PMIX_NODE_MAP, node_map);
    infos.add_regex(PMIX_PROC_MAP, proc_map);
    add_job(infos, job);
    for (uint32_t i = 0; i < job.programs.size(); ++i)
        infos.add_list(PMIX_APP_INFO_ARRAY, program_info(job, i));
    return infos;
}

InfoList job_info(const PmixJob& job, const std::string& node_map, const std::string& proc_map) {
    InfoList infos;
    // The maps before all that is stored by node or by rank.
    infos.add_regex(PMIX_NODE_MAP, node_map);
    infos.add_regex(PMIX_PROC_MAP, proc_map);
    add_job(infos, job);
    add_node(infos, job);
    for (uint32_t i = 0; i < job.programs.size(); ++i) {
        infos.add_list(PMIX_APP_INFO_ARRAY, program_info(job, i));
    }
    uint16_t local_rank = 0;
    for_each_rank(local_runs(job), [&](uint32_t rank) {
        infos.add_list(PMIX_PROC_INFO_ARRAY, rank_info(job, rank, local_rank++));
    });
    return infos;
}

}  // namespace launch
