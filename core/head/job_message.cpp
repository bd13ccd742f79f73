#include "core/head/job_message.hpp"

#include <sys/random.h>

#include "core/job/node_map.hpp"
#include "core/link/direct_links.hpp"

namespace launch {
namespace {

/// The whole tree as a block: its root is the head, which has no ranks of its own here.
Block whole_tree(const Plan& plan) {
    Block block;
    block.hosts.push_back(Host{"", "head", 0, 1});
    block.ranks.emplace_back();
    for (size_t i = 0; i < plan.hosts.size(); ++i) {
        const auto runs = plan.placement.node(i);
        block.hosts.push_back(plan.hosts[i]);
        block.ranks.emplace_back(runs.begin(), runs.end());
    }
    return block;
}

std::string random_key(size_t size) {
    std::string key(size, '\0');
    for (size_t have = 0; have < size;) {
        const ssize_t n = getrandom(key.data() + have, size - have, 0);
        if (n > 0) have += static_cast<size_t>(n);
    }
    return key;
}

Block only_this_machine(const Plan& plan) {
    Block block;
    block.first = 1;
    block.hosts = plan.hosts;
    const auto runs = plan.placement.node(0);
    block.ranks.emplace_back(runs.begin(), runs.end());
    return block;
}

}  // namespace

JobMessage job_message(const Plan& plan, const std::string& log) {
    const JobSpec& spec = plan.spec;
    JobMessage job;
    job.job_id = spec.job_id;
    job.programs = spec.programs;
    job.policies = spec.policies;
    job.transport = spec.transport;
    job.env = spec.env;
    job.wdir = spec.wdir;
    job.launch_path = spec.launch_path;
    job.topology = plan.topology->name();
    job.ranks = plan.placement.ranks();
    job.nodes = static_cast<uint32_t>(plan.hosts.size());
    job.universe_size = plan.universe_size;
    job.process_mapping = plan.process_mapping;
    if (spec.policies.pmi != PmiChoice::none)
        job.node_map = encode_node_map(plan.hosts, plan.placement);
    job.log = log;
    if (spec.policies.links.choice != LinkChoice::spawn) job.link_key = random_key(link_key_size);
    return job;
}

Block tree_of(const Plan& plan) {
    return plan.local ? only_this_machine(plan) : whole_tree(plan);
}

}  // namespace launch
