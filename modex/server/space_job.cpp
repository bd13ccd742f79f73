// SPDX-License-Identifier: MIT
#include "modex/server/space_job.hpp"

#include "core/job/node_map.hpp"

namespace launch {

SpaceFacts space_facts(const JobMessage& job) {
    SpaceFacts facts{.space = job.job_id,
                     .ranks = job.ranks,
                     .universe_size = job.universe_size,
                     .nodes = job.nodes,
                     .node_map = job.node_map};
    for (const Program& program : job.programs) {
        const std::string& wdir = program.wdir.empty() ? job.wdir : program.wdir;
        facts.programs.push_back({program.ranks, program.argv, wdir});
    }
    return facts;
}

std::optional<PmixJob> pmix_job_of(const SpaceFacts& facts) {
    auto map = decode_node_map(facts.node_map, facts.nodes, facts.ranks);
    if (!map) return std::nullopt;
    PmixJob job;
    job.nspace = facts.space;
    job.size = facts.ranks;
    job.universe_size = facts.universe_size;
    for (const Host& host : map->hosts)
        job.hosts.push_back(host.name);
    job.ranks = std::move(map->ranks);
    uint32_t first = 0;
    for (const SpaceFacts::Program& program : facts.programs) {
        job.programs.push_back({first, program.ranks, program.argv, program.wdir});
        first += program.ranks;
    }
    return job;
}

}  // namespace launch
