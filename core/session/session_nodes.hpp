// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/hosts/host.hpp"
#include "core/wire/assignment.hpp"
#include "core/wire/messages.hpp"
#include "core/wire/session_messages.hpp"

namespace launch {

/// Where the hosts of a job's plan are in the tree of a session: a job counts its own hosts from 1,
/// whatever else the session has. Sans I/O.
class SessionNodes {
  public:
    /// An Error: a host is not one of the session's.
    static Result<SessionNodes> find(const SessionState& session, const std::vector<Host>& hosts);

    /// 0: it is none of the job's.
    NodeIndex job_node(NodeIndex in_session) const;
    /// The name of a node of the session.
    std::string name_of(NodeIndex in_session) const;
    std::string name_of_job(NodeIndex node) const { return name_of(nodes_[node - 1]); }
    NodeIndex size() const { return static_cast<NodeIndex>(nodes_.size()); }
    /// The nodes of the assignment become those of the session.
    AssignmentMessage to_session(AssignmentMessage placed) const;
    /// How many ranks each gets.
    std::vector<ReserveRequest::Part> parts(const Placement& placement) const;
    /// The part that concerns the job's nodes; nothing: none of them.
    std::optional<FailureMessage> to_job(const FailureMessage& failure) const;

  private:
    std::vector<std::string> names_of_job(const std::vector<NodeIndex>& nodes) const;

    std::vector<NodeIndex> nodes_;              ///< of the session, by the job's
    std::map<NodeIndex, NodeIndex> job_nodes_;  ///< of the job, by the session's
    std::map<NodeIndex, std::string> names_;    ///< of the session's hosts
};

}  // namespace launch
