// SPDX-License-Identifier: MIT
#include "core/session/session_nodes.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "core/hosts/hostlist.hpp"

namespace launch {
namespace {

auto identity(const Host& host) {
    return std::tie(host.user, host.name, host.port);
}

}  // namespace

Result<SessionNodes> SessionNodes::find(const SessionState& session,
                                        const std::vector<Host>& hosts) {
    std::map<std::tuple<std::string, std::string, uint16_t>, NodeIndex> known;
    SessionNodes found;
    for (const auto& host : session.hosts) {
        known[identity(host.host)] = host.node;
        found.names_[host.node] = host.host.name;
    }
    for (const Host& host : hosts) {
        const auto at = known.find(identity(host));
        if (at == known.end())
            return Error{ErrorKind::internal,
                         "find hosts in session " + session.name,
                         host.name,
                         -1,
                         "the session has no such host",
                         {}};
        found.nodes_.push_back(at->second);
        found.job_nodes_[at->second] = found.size();
    }
    return found;
}

std::string SessionNodes::name_of(NodeIndex in_session) const {
    const auto at = names_.find(in_session);
    return at == names_.end() ? "the session's head" : at->second;
}

NodeIndex SessionNodes::job_node(NodeIndex in_session) const {
    const auto at = job_nodes_.find(in_session);
    return at == job_nodes_.end() ? 0 : at->second;
}

AssignmentMessage SessionNodes::to_session(AssignmentMessage placed) const {
    for (auto& part : placed.parts)
        part.node = nodes_[part.node - 1];
    std::sort(placed.parts.begin(), placed.parts.end(),
              [](const auto& a, const auto& b) { return a.node < b.node; });
    return placed;
}

std::vector<ReserveRequest::Part> SessionNodes::parts(const Placement& placement) const {
    std::vector<ReserveRequest::Part> parts;
    for (size_t i = 0; i < nodes_.size(); ++i)
        parts.push_back({nodes_[i], local_size(placement.node(i))});
    return parts;
}

std::vector<std::string> SessionNodes::names_of_job(const std::vector<NodeIndex>& nodes) const {
    std::vector<std::string> names;
    for (const NodeIndex node : nodes)
        names.push_back(name_of_job(node));
    return names;
}

/// Where a host that is none of the job's took some of them along, these are named.
std::optional<FailureMessage> SessionNodes::to_job(const FailureMessage& failure) const {
    std::vector<NodeIndex> hit;
    for (const NodeRange& range : failure.nodes())
        for (NodeIndex i = 0; i < range.count; ++i)
            if (const NodeIndex node = job_node(range.first + i); node != 0) hit.push_back(node);
    if (hit.empty()) return std::nullopt;
    FailureMessage of_job;
    of_job.node = hit.front();
    of_job.was_up = failure.was_up;
    of_job.error = failure.error;
    if (job_node(failure.node) == 0)
        of_job.error.cause +=
            "; " + fold_names(names_of_job(hit)) + " below it in the tree cannot be reached";
    of_job.hosts = failure.hosts;
    for (size_t i = 1; i < hit.size(); ++i)
        of_job.below.push_back({hit[i], 1});
    return of_job;
}

}  // namespace launch
