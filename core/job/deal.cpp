// SPDX-License-Identifier: MIT
#include "core/job/deal.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "core/hosts/hostlist.hpp"
#include "core/job/host_choice.hpp"
#include "core/job/plan_error.hpp"

namespace launch {
namespace {

uint32_t slots_of(const JobSpec& spec, const Host& host) {
    return spec.ppn > 0 ? spec.ppn : host.slots;
}

std::vector<uint32_t> slots_of(const JobSpec& spec, const std::vector<Host>& hosts) {
    std::vector<uint32_t> slots;
    slots.reserve(hosts.size());
    for (const auto& host : hosts)
        slots.push_back(slots_of(spec, host));
    return slots;
}

Error too_many_ranks() {
    return plan_error("more ranks than MPI can count");
}

/// Deals the ranks of one group of programs after another, each into the slots that those before
/// it have left.
class Dealer {
  public:
    Dealer(const JobSpec& spec, const std::vector<uint32_t>& asked, std::vector<uint32_t> slots,
           std::vector<uint32_t> used)
        : spec_(spec), made_(asked), slots_(std::move(slots)), used_(std::move(used)) {
        used_.resize(slots_.size());
    }

    Status deal(ProgramGroup group);

    const std::vector<uint32_t>& program_ranks() const { return made_; }
    Result<Placement> take();

  private:
    std::vector<uint32_t> free_slots(const std::vector<uint32_t>& hosts) const;
    Result<uint32_t> ranks_to_place(const std::vector<size_t>& programs, uint64_t slots) const;
    Result<Placement> place_group(const ProgramGroup& group);
    void count_ranks(const std::vector<size_t>& programs, uint32_t ranks);

    const JobSpec& spec_;
    std::vector<uint32_t> made_;  ///< ranks of the programs; 0: not known yet
    std::vector<uint32_t> slots_;
    std::vector<uint32_t> used_;  ///< slots of each host that are taken
    std::vector<ProgramGroup> groups_;
    std::vector<Placement> placements_;  ///< of each group
};

uint64_t sum_of(const std::vector<uint32_t>& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), uint64_t{0});
}

std::vector<uint32_t> Dealer::free_slots(const std::vector<uint32_t>& hosts) const {
    std::vector<uint32_t> free;
    free.reserve(hosts.size());
    for (const uint32_t host : hosts)
        free.push_back(slots_[host] - std::min(slots_[host], used_[host]));
    return free;
}

/// How many ranks these programs are to have; 0: as many as there are slots.
Result<uint32_t> Dealer::ranks_to_place(const std::vector<size_t>& programs, uint64_t slots) const {
    uint64_t sum = 0;
    size_t open = made_.size();
    for (const size_t program : programs) {
        sum += made_[program];
        if (made_[program] > 0) continue;
        if (open < made_.size())
            return plan_error("only one of the programs on the same hosts may omit -n");
        open = program;
    }
    if (sum > UINT32_MAX) return too_many_ranks();
    if (open == made_.size()) return static_cast<uint32_t>(sum);
    if (slots > sum)
        return sum == 0 ? 0 : static_cast<uint32_t>(std::min<uint64_t>(slots, UINT32_MAX));
    return plan_error("no slot is left for the program without -n: " +
                      spec_.programs[open].argv[0]);
}

Result<Placement> Dealer::place_group(const ProgramGroup& group) {
    PlacementRequest request;
    request.slots = free_slots(group.hosts);
    request.mapping = spec_.mapping;
    const uint64_t free = sum_of(request.slots);
    const auto ranks = ranks_to_place(group.programs, free);
    if (!ranks) return ranks.error();
    request.ranks = *ranks;
    std::vector<uint32_t> slots;
    for (const uint32_t host : group.hosts)
        slots.push_back(slots_[host]);
    if (*ranks <= free || slots == request.slots) return place(request);
    // Some of the slots are taken, and what is left is too little: then all are filled once more.
    auto again = place({.slots = slots, .ranks = static_cast<uint32_t>(*ranks - free)});
    if (!again) return again;
    for (size_t i = 0; i < slots.size(); ++i)
        request.slots[i] += local_size(again->node(i));
    return place(request);
}

/// The program without a number gets what the others of its group leave.
void Dealer::count_ranks(const std::vector<size_t>& programs, uint32_t ranks) {
    for (const size_t program : programs)
        ranks -= made_[program];
    for (const size_t program : programs)
        if (made_[program] == 0) made_[program] = ranks;
}

Status Dealer::deal(ProgramGroup group) {
    auto placement = place_group(group);
    if (!placement) return std::move(placement.error());
    count_ranks(group.programs, placement->ranks());
    for (size_t i = 0; i < group.hosts.size(); ++i)
        used_[group.hosts[i]] += local_size(placement->node(i));
    groups_.push_back(std::move(group));
    placements_.push_back(std::move(*placement));
    return Ok{};
}

Result<Placement> Dealer::take() {
    const auto& hosts = groups_[0].hosts;
    const bool as_they_are =
        hosts.size() == slots_.size() && std::is_sorted(hosts.begin(), hosts.end());
    if (groups_.size() == 1 && as_they_are) return std::move(placements_[0]);
    if (sum_of(made_) > INT32_MAX) return too_many_ranks();
    std::vector<PlacedPart> parts;
    for (size_t i = 0; i < groups_.size(); ++i) {
        auto& part = parts.emplace_back();
        part.placement = std::move(placements_[i]);
        part.hosts = std::move(groups_[i].hosts);
        for (const size_t program : groups_[i].programs) {
            const auto first = std::accumulate(
                made_.begin(), made_.begin() + static_cast<std::ptrdiff_t>(program), 0U);
            part.ranks.push_back({first, made_[program], 1});
        }
    }
    return join_parts(parts, slots_.size(), sum_of(slots_));
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
                        const std::vector<Host>& hosts, const std::vector<HostChoice>& choices,
                        const std::vector<uint32_t>& used) {
    Dealer dealer(spec, asked, slots_of(spec, hosts), used);
    for (auto& group : group_programs(asked.size(), choices, hosts.size())) {
        auto dealt = dealer.deal(std::move(group));
        if (!dealt) return std::move(dealt.error());
    }
    auto placement = dealer.take();
    if (!placement) return std::move(placement.error());
    if (spec.keeps_to_slots) {
        const auto crowded = oversubscription(spec, *placement, hosts);
        if (!crowded.empty()) return plan_error(crowded + ", but -map-by forbids oversubscription");
    }
    auto possible = check_input(spec.policies.stdin_target, placement->ranks());
    if (!possible) return std::move(possible.error());
    Deal deal{std::move(*placement), dealer.program_ranks(), 0};
    // MPI counts in an int.
    const auto counted =
        static_cast<uint32_t>(std::min<uint64_t>(deal.placement.slots(), INT32_MAX));
    deal.universe_size = std::max(counted, deal.placement.ranks());
    return deal;
}

std::string oversubscription(const JobSpec& spec, const Placement& placement,
                             const std::vector<Host>& hosts) {
    auto in_all = oversubscription(placement);
    if (!in_all.empty() || spec.choices.empty()) return in_all;
    std::vector<std::string> names;
    uint64_t ranks = 0;
    uint64_t slots = 0;
    for (size_t i = 0; i < hosts.size(); ++i) {
        const uint32_t here = local_size(placement.node(i));
        if (here <= slots_of(spec, hosts[i])) continue;
        names.push_back(hosts[i].name);
        ranks += here;
        slots += slots_of(spec, hosts[i]);
    }
    if (names.empty()) return {};
    return fold_names(std::move(names)) + ": " + oversubscription(ranks, slots);
}

}  // namespace launch
