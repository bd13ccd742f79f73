#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/job/job_spec.hpp"
#include "core/topology.hpp"

namespace launch {

/// Who runs what, and the tree: all that a launch does, as a value. --dry-run prints it and the
/// head executes the same one. Tree node 0 is the head, node i + 1 is hosts[i].
struct Plan {
    JobSpec spec;             ///< program.ranks are resolved
    std::vector<Host> hosts;  ///< those that got ranks; one entry "localhost" where none were given
    Placement placement;      ///< node(i) belongs to hosts[i]
    uint32_t universe_size = 0;  ///< slots of all hosts; at least the ranks
    /// PMI_process_mapping: which ranks share a host. Not of make_plan(): the room modex/ words it.
    std::string process_mapping;
    bool local = false;  ///< no host list: the ranks are the head's own children
    std::unique_ptr<Topology> topology;
    std::string topology_reason;  ///< why this tree, for --explain
    milliseconds start_limit{0};  ///< until all hosts are up; 0: none

    NodeIndex nodes() const { return static_cast<NodeIndex>(hosts.size()) + 1; }
};

/// Makes the topology for a number of tree nodes (hosts + 1): the room topologies/ is injected.
using TopologyFactory = std::function<Result<std::unique_ptr<Topology>>(
    const std::string& name, uint32_t degree, NodeIndex nodes, std::string* reason)>;

/// The usual limit of a start: twice what one host may take, since what is below a dead host is
/// tried after it, and a second for each host.
milliseconds usual_start_limit(const Policies& policies, size_t hosts);

/// A pure function of what was asked. Errors are of kind usage.
Result<Plan> make_plan(JobSpec spec, const TopologyFactory& make_topology);

}  // namespace launch
