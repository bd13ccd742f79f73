// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/job/job_spec.hpp"
#include "core/topology.hpp"

namespace launch {

/// The slots of a session's hosts that a job may use.
struct SessionChoice {
    bool shares = false;         ///< slots of other jobs, too
    std::vector<Host> unwanted;  ///< left out where the job names no hosts
    uint32_t most = 0;           ///< hosts where the job names none; 0: all
};

/// A session, for a job on its hosts: their tree runs already, and ranks are placed at once.
struct HoldingSession {
    std::string name;
    std::string tree;      ///< "kary:32 by ssh"
    bool is_here = false;  ///< it has this machine alone, as no hosts were named
    SessionChoice choice;  ///< of the job
};

/// The programs and their ranks, the hosts, and the tree: everything that a launch does, as a
/// value. --dry-run prints it and the head executes the same one. Tree node 0 is the head, node i +
/// 1 is hosts[i].
struct Plan {
    JobSpec spec;  ///< program.ranks are resolved; choices are places among `hosts`
    /// Those that got ranks; one entry "localhost" where none were given. With spec.allow_missing
    /// all, with spec.spares these too, at the end.
    std::vector<Host> hosts;
    Placement placement;  ///< node(i) belongs to hosts[i]
    /// Given, and left out as no rank is there. They can be started when one asks for processes.
    std::vector<Host> unused;
    size_t spares = 0;            ///< so many of the last hosts wait for others to fail
    std::vector<uint32_t> asked;  ///< ranks of the programs as asked for; 0: what the slots leave
    uint32_t universe_size = 0;   ///< slots of all hosts; at least the ranks
    /// PMI_process_mapping: which ranks share a host. Not of make_plan(): the room modex/ words it.
    std::string process_mapping;
    uint16_t rendezvous_port = 0;  ///< found where ranks are placed late
    bool local = false;            ///< no host list: the ranks are the head's own children
    std::optional<HoldingSession> session;
    uint32_t space = 0;  ///< of processes that a rank asked for, counted from 1; 0: the job itself
    std::unique_ptr<Topology> topology;
    std::string topology_reason;  ///< why this tree, for --explain
    /// The tree that runs the job, over the hosts that are up; null: the one that starts it.
    std::unique_ptr<Topology> routing;
    milliseconds start_limit{0};  ///< until all hosts are up; 0: none

    bool may_miss() const { return spec.allow_missing || spares > 0; }
    /// Ranks are placed when every host is up or known not to be: `placement` is what comes of it
    /// if all are. See core/job/late_placement.hpp. With a routing tree too, which brings them
    /// their start; and where a host may be lost, so that what was to be below it can be started
    /// another way and no rank ever starts twice.
    bool late() const {
        return !local && !session && space == 0 &&
               (may_miss() || routing || spec.policies.survives_host_loss());
    }

    /// No rank starts before it is known of every host whether it is up.
    bool waits_for_all() const {
        return late() || space > 0 || (hosts.size() > 1 && !spec.policies.start_early);
    }

    NodeIndex nodes() const { return static_cast<NodeIndex>(hosts.size()) + 1; }
    /// The name of that node's host; empty: it is not a node of this plan.
    std::string host_name(NodeIndex node) const {
        return node > 0 && node < nodes() ? hosts[node - 1].name : std::string();
    }
};

/// Makes the topology for a number of tree nodes (hosts + 1): the room topologies/ is injected.
using TopologyFactory = std::function<Result<std::unique_ptr<Topology>>(
    const std::string& name, uint32_t degree, NodeIndex nodes, std::string* reason)>;

/// The usual limit of a start: twice what one host may take, since what is below a dead host is
/// tried after it, and a second for each host.
milliseconds usual_start_limit(const Policies& policies, size_t hosts);

/// A pure function of what was asked. Errors are of kind usage.
Result<Plan> make_plan(JobSpec spec, const TopologyFactory& make_topology);

/// A tree of all hosts without a job, for a session.
Result<Plan> make_tree_plan(JobSpec spec, const TopologyFactory& make_topology);

}  // namespace launch
