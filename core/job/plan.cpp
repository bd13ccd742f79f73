#include "core/job/plan.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "core/hosts/hostlist.hpp"

namespace launch {
namespace {

Error plan_error(std::string cause, std::string hint = {}) {
    Error error;
    error.kind = ErrorKind::usage;
    error.operation = "plan the job";
    error.cause = std::move(cause);
    error.hint = std::move(hint);
    return error;
}

/// The ranks that programs ask for; `open` is the one that takes what the slots leave.
Result<uint64_t> asked_ranks(const std::vector<Program>& programs, const Program*& open) {
    uint64_t asked = 0;
    for (const auto& program : programs) {
        asked += program.ranks;
        if (program.ranks > 0) continue;
        if (open != nullptr) return plan_error("more than one program without -n");
        open = &program;
    }
    return asked;
}

uint64_t total_slots(const JobSpec& spec, const std::vector<Host>& hosts) {
    uint64_t slots = 0;
    for (const auto& host : hosts)
        slots += spec.ppn > 0 ? spec.ppn : host.slots;
    return slots;
}

Result<Placement> place_ranks(JobSpec& spec, const std::vector<Host>& hosts) {
    const Program* open = nullptr;
    const auto asked = asked_ranks(spec.programs, open);
    if (!asked) return asked.error();
    PlacementRequest request;
    for (const auto& host : hosts)
        request.slots.push_back(host.slots);
    request.ppn = spec.ppn;
    request.mapping = spec.mapping;
    if (*asked > UINT32_MAX) return plan_error("more ranks than can be counted");
    if (open != nullptr && *asked > 0) {
        const uint64_t slots = total_slots(spec, hosts);
        if (slots <= *asked)
            return plan_error("no slot is left for the program without -n: " + open->argv[0]);
        request.ranks = static_cast<uint32_t>(std::min<uint64_t>(slots, UINT32_MAX));
    } else {
        request.ranks = static_cast<uint32_t>(*asked);
    }
    auto placement = place(request);
    if (!placement) return placement;
    for (auto& program : spec.programs) {
        if (program.ranks == 0) program.ranks = placement->ranks() - static_cast<uint32_t>(*asked);
    }
    return placement;
}

/// Block placement fills from the front, so hosts without a rank are at the end.
size_t used_hosts(const Placement& placement) {
    size_t used = placement.nodes();
    while (used > 1 && placement.node(used - 1).empty())
        --used;
    return used;
}

}  // namespace

milliseconds usual_start_limit(const Policies& policies, size_t hosts) {
    return 2 * (policies.connect_timeout + policies.start_timeout) + std::chrono::seconds(hosts);
}

Result<Plan> make_plan(JobSpec spec, const TopologyFactory& make_topology) {
    Plan plan;
    if (spec.programs.empty()) return plan_error("no program to run");
    plan.local = spec.hosts.empty();
    plan.hosts = plan.local ? std::vector<Host>(1, Host{"", "localhost", 0, spec.local_slots})
                            : merge_hosts(std::move(spec.hosts));
    spec.hosts.clear();
    auto placement = place_ranks(spec, plan.hosts);
    if (!placement) return std::move(placement.error());
    plan.placement = std::move(*placement);
    // MPI counts in an int.
    const auto slots = std::min<uint64_t>(total_slots(spec, plan.hosts), INT32_MAX);
    plan.universe_size = std::max(static_cast<uint32_t>(slots), plan.placement.ranks());
    const StdinTarget& target = spec.policies.stdin_target;
    if (target.kind == StdinTarget::Kind::rank && target.rank >= plan.placement.ranks())
        return plan_error("--stdin " + std::to_string(target.rank) + ": the last rank is " +
                          std::to_string(plan.placement.ranks() - 1));
    plan.hosts.resize(used_hosts(plan.placement));
    auto topology = make_topology(spec.topology, spec.degree, plan.nodes(), &plan.topology_reason);
    if (!topology) return std::move(topology.error());
    plan.topology = std::move(*topology);
    plan.start_limit =
        spec.start_limit.value_or(usual_start_limit(spec.policies, plan.hosts.size()));
    plan.spec = std::move(spec);
    return plan;
}

}  // namespace launch
