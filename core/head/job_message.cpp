// SPDX-License-Identifier: MIT
#include "core/head/job_message.hpp"

#include <algorithm>

#include "core/base/hex.hpp"
#include "core/base/host_name.hpp"
#include "core/base/random.hpp"
#include "core/job/node_map.hpp"
#include "core/link/direct_links.hpp"
#include "core/push/path_owners.hpp"

namespace launch {
namespace {

/// The map of nodes that PMIx ranks query.
std::string node_map(const JobSpec& spec, const std::vector<Host>& hosts,
                     const Placement& placement) {
    return spec.policies.pmi == PmiChoice::none ? "" : encode_node_map(hosts, placement);
}

JobHosts told_hosts(const JobSpec& spec, const std::vector<Host>& hosts,
                    const Placement& placement) {
    return job_hosts(hosts, placement, spec.transport.name == "local", host_name());
}

}  // namespace

TreeMessage tree_message(const Plan& plan) {
    const JobSpec& spec = plan.spec;
    TreeMessage tree;
    tree.id = spec.job_id;
    tree.nodes = static_cast<NodeIndex>(plan.hosts.size());
    tree.topology = plan.topology->name();
    if (plan.routing) tree.routing = plan.routing->name();
    tree.transport = spec.transport;
    tree.policies = spec.policies;
    tree.launch_path = spec.launch_path;
    tree.launch_owners = path_owners(spec.launch_path);
    tree.with_job = !spec.programs.empty();
    if (spec.policies.links.choice != LinkChoice::spawn)
        tree.link_key = random_bytes(link_key_size);
    return tree;
}

JobMessage job_message(const Plan& plan, const std::string& log) {
    const JobSpec& spec = plan.spec;
    JobMessage job;
    job.job_id = spec.job_id;
    job.programs = spec.programs;
    job.policies = spec.policies;
    job.env = spec.env;
    job.limits = spec.limits;
    job.wdir = spec.wdir;
    const auto& tree = plan.routing ? plan.routing : plan.topology;  // none: a tree that runs
    job.on_hypercube = tree && tree->name() == "hypercube";
    job.placed_late = plan.late();
    job.stage = spec.stage;
    if (job.stage.any()) job.stage.token = hex_bytes(random_bytes(8));
    // No other host has it, then.
    job.may_leave_wdir = plan.hosts.size() == 1 && !plan.late() && plan.space == 0;
    job.log = log;
    return job;
}

namespace {

/// Where others of the plan's hosts have none.
AssignmentMessage assignment_of_some(const Plan& plan, const std::vector<uint32_t>& used) {
    LatePlacement placed;
    placed.deal.placement = plan.placement.picked(used);
    placed.deal.universe_size = plan.universe_size;
    for (const Program& program : plan.spec.programs)
        placed.deal.program_ranks.push_back(program.ranks);
    for (const uint32_t host : used)
        placed.nodes.push_back(host + 1);
    return late_assignment(plan, placed, false);
}

}  // namespace

AssignmentMessage assignment(const Plan& plan) {
    const auto used = plan.placement.used();
    if (used.size() < plan.hosts.size()) return assignment_of_some(plan, used);
    JobPlacement job;
    job.ranks = plan.placement.ranks();
    job.nodes = static_cast<uint32_t>(plan.hosts.size());
    job.universe_size = plan.universe_size;
    for (const Program& program : plan.spec.programs)
        job.program_ranks.push_back(program.ranks);
    job.hosts = told_hosts(plan.spec, plan.hosts, plan.placement);
    job.node_map = node_map(plan.spec, plan.hosts, plan.placement);
    job.process_mapping = plan.process_mapping;
    job.may_leave_wdir = plan.hosts.size() == 1 && plan.space == 0;
    AssignmentMessage message{job.encode(), {}, {}, 0};
    for (uint32_t i = 0; i < plan.hosts.size(); ++i) {
        const auto runs = plan.placement.node(i);
        if (!runs.empty())
            message.parts.push_back({i + 1, HostRank{i}, {runs.begin(), runs.end()}});
    }
    return message;
}

AssignmentMessage late_assignment(const Plan& plan, const LatePlacement& placed,
                                  bool may_leave_wdir) {
    const Deal& deal = placed.deal;
    JobPlacement job;
    job.ranks = deal.placement.ranks();
    job.nodes = static_cast<uint32_t>(placed.nodes.size());
    job.universe_size = deal.universe_size;
    job.program_ranks = deal.program_ranks;
    const auto hosts = hosts_of(plan, placed.nodes);
    job.hosts = told_hosts(plan.spec, hosts, deal.placement);
    job.node_map = node_map(plan.spec, hosts, deal.placement);
    job.process_mapping = plan.process_mapping;
    job.may_leave_wdir = may_leave_wdir;
    job.rendezvous_port = plan.rendezvous_port;
    AssignmentMessage message;
    message.job = job.encode();
    for (uint32_t i = 0; i < placed.nodes.size(); ++i) {
        const auto runs = deal.placement.node(i);
        message.parts.push_back({placed.nodes[i], HostRank{i}, {runs.begin(), runs.end()}});
    }
    std::sort(message.parts.begin(), message.parts.end(),
              [](const auto& a, const auto& b) { return a.node < b.node; });
    return message;
}

Block tree_of(const Plan& plan) {
    if (plan.local) return {1, plan.hosts, 0};
    Block block{0, {Host{"", "head", 0, 1}}, 0};
    block.hosts.insert(block.hosts.end(), plan.hosts.begin(), plan.hosts.end());
    return block;
}

}  // namespace launch
