// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/wire/messages.hpp"

namespace launch {

/// The part of a JobMessage that depends on which hosts are up. Before it is known, the job's
/// `ranks` are 0.
struct JobPlacement {
    uint32_t ranks = 0;
    uint32_t nodes = 0;  ///< hosts with ranks
    uint32_t universe_size = 0;
    std::vector<uint32_t> program_ranks;
    std::string node_map;
    std::string process_mapping;
    JobHosts hosts;
    bool may_leave_wdir = false;
    uint16_t rendezvous_port = 0;  ///< where ranks are placed late

    std::string encode() const;
    static std::optional<JobPlacement> decode(std::string_view payload);
    /// False: it is not of this job.
    bool apply_to(JobMessage& job) const;
};

/// Down the tree, once, where ranks are placed when all hosts are up or known not to be: the ranks
/// of one block's nodes. The receiver keeps its part and passes to each child the child's.
struct AssignmentMessage {
    struct Part {
        NodeIndex node = 0;
        HostRank host{};
        std::vector<RankRun> runs;

        bool operator==(const Part&) const = default;
    };

    std::string job;          ///< a JobPlacement, passed on as it came
    std::vector<Part> parts;  ///< of the nodes with ranks, by ascending node

    /// The part for `count` nodes from `first` on.
    AssignmentMessage part_of(NodeIndex first, NodeIndex count) const;
    const Part* part_at(NodeIndex node) const;

    std::string encode() const;
    static std::optional<AssignmentMessage> decode(std::string_view payload);
};

/// Down the tree: a job begins, with the receiver's part of its ranks where they are placed.
struct JobStart {
    std::string_view job;         ///< a JobMessage
    std::string_view assignment;  ///< an AssignmentMessage; empty: follows by its own

    std::string encode() const;
    /// Both point into the payload.
    static std::optional<JobStart> decode(std::string_view payload);
};

}  // namespace launch
