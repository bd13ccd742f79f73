// SPDX-License-Identifier: MIT
#include "core/job/placement.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>

namespace launch {

class PlacementBuilder {
  public:
    PlacementBuilder(std::size_t hosts, uint32_t ranks, uint64_t slots) {
        made_.runs_.reserve(std::min<std::size_t>(hosts, ranks));
        made_.offsets_.reserve(hosts + 1);
        made_.ranks_ = ranks;
        made_.slots_ = slots;
    }

    // Appends to the current host; runs come lowest first.
    void add(RankRun run) {
        if (run.count == 0) return;
        if (run.count == 1) run.stride = 1;
        bool is_first = made_.runs_.size() == made_.offsets_.back();
        if (is_first || !join(made_.runs_.back(), run)) made_.runs_.push_back(run);
    }

    void end_host() { made_.offsets_.push_back(made_.runs_.size()); }

    Placement take() { return std::move(made_); }

  private:
    // Makes one run of two where they are one; a run of one rank has any stride.
    static bool join(RankRun& a, const RankRun& b) {
        uint32_t gap = b.first - (a.first + (a.count - 1) * a.stride);
        if ((a.count > 1 && a.stride != gap) || (b.count > 1 && b.stride != gap)) return false;
        a.stride = gap;
        a.count += b.count;
        return true;
    }

    Placement made_;
};

namespace {

Error place_error(std::string cause) {
    return {.kind = ErrorKind::usage,
            .operation = "place the ranks",
            .host = {},
            .cause = std::move(cause),
            .hint = {}};
}

// A request with its defaults resolved.
struct Dealing {
    const PlacementRequest& request;
    uint64_t total;  ///< of all slots
    uint32_t ranks;

    std::size_t hosts() const { return request.slots.size(); }
    uint32_t slots(std::size_t i) const {
        return request.ppn != 0 ? request.ppn : request.slots[i];
    }
    bool oversubscribed() const { return ranks > total; }
};

uint64_t total_slots(const PlacementRequest& request) {
    if (request.ppn != 0) return uint64_t{request.ppn} * request.slots.size();
    uint64_t total = 0;
    for (uint32_t slots : request.slots) {
        total += slots;
    }
    return total;
}

Placement place_block(const Dealing& deal) {
    PlacementBuilder builder(deal.hosts(), deal.ranks, deal.total);
    // Below 2^62: there are fewer slots than ranks where this is used.
    auto share = [&](std::size_t i) { return uint64_t{deal.ranks} * deal.slots(i) / deal.total; };
    uint64_t left_over = 0;
    if (deal.oversubscribed()) {
        left_over = deal.ranks;
        for (std::size_t i = 0; i < deal.hosts(); ++i) {
            left_over -= share(i);
        }
    }
    uint32_t next = 0;
    for (std::size_t i = 0; i < deal.hosts(); ++i) {
        uint64_t count = deal.slots(i);
        if (deal.oversubscribed() && count > 0) {
            count = share(i) + (left_over > 0 ? 1 : 0);
            left_over -= left_over > 0 ? 1 : 0;
        }
        auto fitting = static_cast<uint32_t>(std::min<uint64_t>(count, deal.ranks - next));
        builder.add({.first = next, .count = fitting, .stride = 1});
        builder.end_host();
        next += fitting;
    }
    return builder.take();
}

// Consecutive rounds of dealing during which the same hosts have a free slot. A host with s slots
// takes part in the levels that end at or before round s.
struct Level {
    uint64_t end;         ///< the first round after it
    uint64_t rounds;      ///< how many it has
    uint64_t base;        ///< the first rank dealt in it
    uint64_t hosts;       ///< how many take part: its ranks a round
    uint64_t passed = 0;  ///< of those, how many stand before the host that is being dealt to
};

// How many hosts have how many slots, hosts without slots left out.
std::map<uint32_t, uint64_t> count_hosts_by_slots(const Dealing& deal) {
    std::map<uint32_t, uint64_t> counts;
    uint64_t* count = nullptr;
    uint32_t slots_before = 0;
    for (std::size_t i = 0; i < deal.hosts(); ++i) {
        uint32_t slots = deal.slots(i);
        if (slots == 0) continue;
        if (slots != slots_before) count = &counts[slots];
        slots_before = slots;
        ++*count;
    }
    return counts;
}

std::vector<Level> levels_of(const Dealing& deal) {
    std::map<uint32_t, uint64_t> counts = count_hosts_by_slots(deal);
    uint64_t hosts = 0;
    for (auto [slots, count] : counts) {
        hosts += count;
    }
    std::vector<Level> levels;
    uint64_t round = 0;
    uint64_t base = 0;
    for (auto [slots, count] : counts) {
        levels.push_back({.end = slots, .rounds = slots - round, .base = base, .hosts = hosts});
        base += (slots - round) * hosts;
        round = slots;
        hosts -= count;
    }
    return levels;
}

// Which ranks below `limit` a host gets out of one level, in the pass that begins at `start`.
RankRun run_in(const Level& level, uint64_t start, uint64_t limit) {
    uint64_t first = start + level.base + level.passed;
    if (first >= limit) return {};
    uint64_t count = std::min(level.rounds, (limit - first + level.hosts - 1) / level.hosts);
    return {.first = static_cast<uint32_t>(first),
            .count = static_cast<uint32_t>(count),
            .stride = static_cast<uint32_t>(level.hosts)};
}

Placement place_cyclic(const Dealing& deal) {
    PlacementBuilder builder(deal.hosts(), deal.ranks, deal.total);
    std::vector<Level> levels = levels_of(deal);
    uint64_t pass = deal.total;
    if (levels.size() == 1) {
        // Hosts alike never wait for one another: one level holds every pass.
        levels[0].rounds = deal.ranks;
        pass = deal.ranks;
    }
    for (std::size_t i = 0; i < deal.hosts(); ++i) {
        auto taking_part = [&](const Level& level) { return level.end <= deal.slots(i); };
        auto end = std::find_if_not(levels.begin(), levels.end(), taking_part);
        for (uint64_t start = 0; start < deal.ranks; start += pass) {
            for (auto level = levels.begin(); level != end; ++level) {
                builder.add(run_in(*level, start, deal.ranks));
            }
        }
        std::for_each(levels.begin(), end, [](Level& level) { ++level.passed; });
        builder.end_host();
    }
    return builder.take();
}

// How many ranks of the run are below `limit`.
uint32_t ranks_below(const RankRun& run, uint64_t limit) {
    if (limit <= run.first) return 0;
    return static_cast<uint32_t>(
        std::min<uint64_t>(run.count, (limit - run.first + run.stride - 1) / run.stride));
}

// The ranks of a part's run, numbered in the job. A run never passes from one block of the job's
// ranks to the next, so that those of a host, put in order, do not overlap.
void add_in_job(const RankRun& run, const std::vector<RankRun>& blocks,
                std::vector<RankRun>& made) {
    uint64_t begin = 0;
    for (const RankRun& block : blocks) {
        const uint32_t from = ranks_below(run, begin);
        const uint32_t to = ranks_below(run, begin + block.count);
        const uint64_t first = run.first + uint64_t{from} * run.stride;
        if (from < to)
            made.push_back(
                {block.first + static_cast<uint32_t>(first - begin), to - from, run.stride});
        begin += block.count;
    }
}

}  // namespace

std::vector<uint32_t> Placement::nodes_by_rank() const {
    std::vector<uint32_t> inverse(ranks_);
    for (std::size_t i = 0; i < nodes(); ++i) {
        for_each_rank(node(i), [&](uint32_t rank) { inverse[rank] = static_cast<uint32_t>(i); });
    }
    return inverse;
}

std::vector<uint32_t> Placement::used() const {
    std::vector<uint32_t> hosts;
    for (std::size_t i = 0; i < nodes(); ++i) {
        if (!node(i).empty()) hosts.push_back(static_cast<uint32_t>(i));
    }
    return hosts;
}

Placement Placement::arranged(std::span<const uint32_t> hosts, std::size_t nodes) const {
    const auto nowhere = static_cast<uint32_t>(this->nodes());
    std::vector<uint32_t> source(nodes, nowhere);
    for (std::size_t i = 0; i < hosts.size(); ++i)
        source[hosts[i]] = static_cast<uint32_t>(i);
    return picked(source);
}

Placement Placement::picked(std::span<const uint32_t> hosts) const {
    Placement made;
    made.ranks_ = ranks_;
    made.slots_ = slots_;
    made.runs_.reserve(runs_.size());
    made.offsets_.reserve(hosts.size() + 1);
    for (const std::size_t from : hosts) {
        if (from < nodes()) {
            const auto runs = node(from);
            made.runs_.insert(made.runs_.end(), runs.begin(), runs.end());
        }
        made.offsets_.push_back(made.runs_.size());
    }
    return made;
}

std::string oversubscription(uint64_t ranks, uint64_t slots) {
    return std::to_string(ranks) + " ranks on " + std::to_string(slots) +
           (slots == 1 ? " slot" : " slots");
}

std::string oversubscription(const Placement& placement) {
    return placement.oversubscribed() ? oversubscription(placement.ranks(), placement.slots())
                                      : std::string();
}

Result<Placement> place(const PlacementRequest& request) {
    constexpr uint64_t max_ranks = std::numeric_limits<int32_t>::max();
    if (request.slots.empty()) return place_error("there is no host");
    uint64_t total = total_slots(request);
    if (total == 0) return place_error("no host has a slot");
    uint64_t ranks = request.ranks != 0 ? request.ranks : total;
    if (ranks > max_ranks) {
        return place_error(std::to_string(ranks) + " ranks are more than MPI can count (" +
                           std::to_string(max_ranks) + ")");
    }
    Dealing deal{request, total, static_cast<uint32_t>(ranks)};
    return request.mapping == Mapping::block ? place_block(deal) : place_cyclic(deal);
}

Placement join_parts(const std::vector<PlacedPart>& parts, std::size_t hosts, uint64_t slots) {
    std::vector<std::vector<RankRun>> runs(hosts);
    uint32_t ranks = 0;
    for (const PlacedPart& part : parts) {
        ranks += part.placement.ranks();
        for (std::size_t i = 0; i < part.hosts.size(); ++i) {
            for (const RankRun& run : part.placement.node(i))
                add_in_job(run, part.ranks, runs[part.hosts[i]]);
        }
    }
    PlacementBuilder builder(hosts, ranks, slots);
    for (auto& of_host : runs) {
        std::sort(of_host.begin(), of_host.end(),
                  [](const RankRun& a, const RankRun& b) { return a.first < b.first; });
        for (const RankRun& run : of_host)
            builder.add(run);
        builder.end_host();
    }
    return builder.take();
}

uint32_t local_size(std::span<const RankRun> node) {
    uint32_t size = 0;
    for (const RankRun& run : node) {
        size += run.count;
    }
    return size;
}

}  // namespace launch
