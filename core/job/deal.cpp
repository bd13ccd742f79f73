#include "core/job/deal.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "core/job/plan_error.hpp"

namespace launch {
namespace {

uint64_t total_slots(const JobSpec& spec, const std::vector<Host>& hosts) {
    uint64_t slots = 0;
    for (const auto& host : hosts)
        slots += spec.ppn > 0 ? spec.ppn : host.slots;
    return slots;
}

/// How many ranks there are to be; 0: as many as there are slots.
Result<uint32_t> ranks_to_place(const JobSpec& spec, const std::vector<uint32_t>& asked,
                                uint64_t slots) {
    const auto sum = std::accumulate(asked.begin(), asked.end(), uint64_t{0});
    if (sum > UINT32_MAX) return plan_error("more ranks than can be counted");
    const auto open = std::find(asked.begin(), asked.end(), 0U);
    if (open == asked.end() || sum == 0) return static_cast<uint32_t>(sum);
    if (slots > sum) return static_cast<uint32_t>(std::min<uint64_t>(slots, UINT32_MAX));
    const auto& program = spec.programs[static_cast<size_t>(open - asked.begin())];
    return plan_error("no slot is left for the program without -n: " + program.argv[0]);
}

Status check_input(const StdinTarget& target, uint32_t ranks) {
    if (target.kind != StdinTarget::Kind::rank || target.rank < ranks) return Ok{};
    return plan_error("--stdin " + std::to_string(target.rank) + ": the last rank is " +
                      std::to_string(ranks - 1));
}

}  // namespace

std::vector<uint32_t> asked_ranks(const std::vector<Program>& programs) {
    std::vector<uint32_t> asked;
    asked.reserve(programs.size());
    for (const auto& program : programs)
        asked.push_back(program.ranks);
    return asked;
}

Result<Deal> deal_ranks(const JobSpec& spec, const std::vector<uint32_t>& asked,
                        const std::vector<Host>& hosts) {
    if (std::count(asked.begin(), asked.end(), 0U) > 1)
        return plan_error("more than one program without -n");
    const uint64_t slots = total_slots(spec, hosts);
    const auto ranks = ranks_to_place(spec, asked, slots);
    if (!ranks) return ranks.error();
    PlacementRequest request;
    request.slots.reserve(hosts.size());
    for (const auto& host : hosts)
        request.slots.push_back(host.slots);
    request.ranks = *ranks;
    request.ppn = spec.ppn;
    request.mapping = spec.mapping;
    auto placement = place(request);
    if (!placement) return std::move(placement.error());
    auto possible = check_input(spec.policies.stdin_target, placement->ranks());
    if (!possible) return std::move(possible.error());

    Deal deal{std::move(*placement), asked, 0};
    // MPI counts in an int.
    const auto counted = static_cast<uint32_t>(std::min<uint64_t>(slots, INT32_MAX));
    deal.universe_size = std::max(counted, deal.placement.ranks());
    const auto sum = std::accumulate(asked.begin(), asked.end(), uint32_t{0});
    for (auto& count : deal.program_ranks)
        if (count == 0) count = deal.placement.ranks() - sum;
    return deal;
}

}  // namespace launch
