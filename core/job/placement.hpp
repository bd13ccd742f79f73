// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.hpp"

namespace launch {

/// How ranks are dealt to hosts.
enum class Mapping : uint8_t {
    block,   ///< a host's slots are filled before the next host is used
    cyclic,  ///< one rank a host in turn
};

/// The ranks first, first + stride, ...: `count` of them.
struct RankRun {
    uint32_t first;
    uint32_t count;
    uint32_t stride;

    bool operator==(const RankRun&) const = default;
};

struct PlacementRequest {
    std::vector<uint32_t> slots;  ///< of each host
    uint32_t ranks = 0;           ///< 0: as many as there are slots
    uint32_t ppn = 0;             ///< not 0: replaces the slots of every host
    Mapping mapping = Mapping::block;
};

/// Which ranks run on which host. Held as runs in one array: a job on a million hosts costs
/// 20 bytes a host, whatever its number of ranks, as long as the hosts are alike.
class Placement {
  public:
    /// The number of hosts of the request, also those without a rank.
    std::size_t nodes() const { return offsets_.size() - 1; }

    /// The ranks of a host, lowest first: a run ends before the next one begins.
    std::span<const RankRun> node(std::size_t i) const {
        return std::span(runs_).subspan(offsets_[i], offsets_[i + 1] - offsets_[i]);
    }

    uint32_t ranks() const { return ranks_; }

    /// The slots of all hosts of the request.
    uint64_t slots() const { return slots_; }

    /// More ranks than slots in all.
    bool oversubscribed() const { return ranks_ > slots_; }

    /// The hosts that have a rank.
    std::vector<uint32_t> used() const;

    /// This placement among `nodes` hosts: those of the i-th host here are on hosts[i] there, and
    /// other hosts have none.
    Placement arranged(std::span<const uint32_t> hosts, std::size_t nodes) const;

    /// This placement reduced to these hosts, which have all of its ranks.
    Placement picked(std::span<const uint32_t> hosts) const;

    /// The inverse: the host of every rank, indexed by rank. Linear in the number of ranks.
    std::vector<uint32_t> nodes_by_rank() const;

  private:
    friend class PlacementBuilder;

    std::vector<RankRun> runs_;
    std::vector<std::size_t> offsets_ = {0};  ///< where the runs of each host begin, and the end
    uint32_t ranks_ = 0;
    uint64_t slots_ = 0;
};

/// Ranks of a job that were placed apart from its others, as if there were no others.
struct PlacedPart {
    Placement placement;
    std::vector<uint32_t> hosts;  ///< placement.node(i) belongs to the job's host hosts[i]
    std::vector<RankRun> ranks;   ///< what its ranks are in the job, in their order; strides are 1
};

/// All ranks of a job on its hosts, which have so many slots.
Placement join_parts(const std::vector<PlacedPart>& parts, std::size_t hosts, uint64_t slots);

/// "900 ranks on 100 slots": too few of them.
std::string oversubscription(uint64_t ranks, uint64_t slots);

/// Describes the shortage if there are too few slots; else empty.
std::string oversubscription(const Placement& placement);

/// Places ranks 0..ranks-1, at most INT32_MAX of them (MPI counts ranks in an int).
///
/// block: contiguous ranks, hosts filled in order. With more ranks than slots each host gets its
/// share in proportion to its slots, rounded down, and what is left goes one each to the first
/// hosts; still contiguous.
/// cyclic: one rank a host in turn, passing over full hosts; when all are full it starts over.
Result<Placement> place(const PlacementRequest& request);

/// How many ranks the runs of one host make.
uint32_t local_size(std::span<const RankRun> node);

/// Calls f(rank) for the ranks of one host, lowest first.
template <class F>
void for_each_rank(std::span<const RankRun> node, F f) {
    for (const RankRun& run : node) {
        for (uint32_t i = 0; i < run.count; ++i) {
            f(run.first + i * run.stride);
        }
    }
}

}  // namespace launch
