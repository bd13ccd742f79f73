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
    bool is_of(const JobMessage& job) const;
    /// Only where it is of that job.
    void apply_to(JobMessage& job) const;
};

/// Down the tree: where the ranks of a job are, by nodes. Each child gets the part of the nodes
/// below it. A node may be below another parent than the nodes above believe, so a message names
/// the nodes that it covers: whether others have ranks it does not say.
struct AssignmentMessage {
    struct Part {
        NodeIndex node = 0;
        HostRank host{};
        std::vector<RankRun> runs;

        bool operator==(const Part&) const = default;
    };

    std::string job;               ///< a JobPlacement, passed on as it came
    std::vector<Part> parts;       ///< of the nodes with ranks, by ascending node
    std::vector<NodeRange> nodes;  ///< that it covers; they do not overlap
    NodeIndex joined = 0;          ///< the nodes from this one on joined later, and have no ranks

    bool covers(NodeIndex node) const;
    /// It covers all nodes for which it has ranks. A job's user leaves the nodes to the head.
    bool is_complete() const;
    /// The part of these nodes.
    AssignmentMessage part_of(const std::vector<NodeRange>& nodes) const;
    /// The part of the nodes that `other` does not cover.
    AssignmentMessage without(const AssignmentMessage& other) const;
    /// `more` is of the same job, and covers other nodes.
    void add(const AssignmentMessage& more);
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
