// SPDX-License-Identifier: MIT
#include "core/head/job_record.hpp"

#include <algorithm>
#include <csignal>
#include <utility>

#include "core/base/take.hpp"

namespace launch {
namespace {

/// Before launch kills, SIGKILL is another's: the kernel's where memory ran out, or the rank's own.
bool ended_by_launch(const ExitStatus& status, bool killing) {
    return status.kind == ExitStatus::Kind::signalled &&
           (status.value == SIGTERM || (killing && status.value == SIGKILL));
}

/// By none that ends a job (SIGTERM, SIGINT), and none that a rank sends itself when it has lost
/// another (SIGABRT, SIGPIPE).
bool crashed_or_killed(const ExitStatus& status) {
    switch (status.value) {
        case SIGKILL:
        case SIGSEGV:
        case SIGBUS:
        case SIGILL:
        case SIGFPE:
        case SIGSYS:
        case SIGXCPU: return status.kind == ExitStatus::Kind::signalled;
        default: return false;
    }
}

}  // namespace

JobRecord::JobRecord(const Plan& plan)
    : plan_(plan),
      hosts_(plan.hosts.size(), HostState::unknown),
      staged_(plan.hosts.size(), !plan.spec.stage.any()) {
    if (!plan.late()) place_ranks();
    if (!plan.waits_for_all()) start_ranks();
}

std::vector<FailureMessage> JobRecord::place_ranks() {
    ranks_ = Ranks::placed;
    rank_ended_.assign(plan_.placement.ranks(), false);
    nodes_by_rank_ = plan_.placement.nodes_by_rank();
    for (size_t i = 0; i < hosts_.size(); ++i) {
        if (hosts_[i] == HostState::failed) lose_ranks(static_cast<NodeIndex>(i) + 1);
    }
    return take_unless(host_failures_, [this](const FailureMessage& f) { return has_ranks(f); });
}

void JobRecord::start_ranks() {
    ranks_ = Ranks::started;
    for (size_t i = 0; i < hosts_.size(); ++i)
        if (hosts_[i] == HostState::up) running_ += unended(i);
}

uint32_t JobRecord::unended(size_t host) const {
    uint32_t count = 0;
    for_each_rank(plan_.placement.node(host), [&](uint32_t rank) { count += !rank_ended_[rank]; });
    return count;
}

std::vector<bool> JobRecord::up() const {
    std::vector<bool> up;
    for (const HostState state : hosts_)
        up.push_back(state == HostState::up);
    return up;
}

void JobRecord::know(NodeIndex node, HostState state) {
    if (node == 0 || node > hosts_.size()) return;
    HostState& known = hosts_[node - 1];
    if (known == HostState::unknown) ++known_;
    if (known == HostState::up) --up_;
    if (state == HostState::up) ++up_;
    known = state;
}

bool JobRecord::node_up(NodeIndex node) {
    if (node == 0 || node > hosts_.size() || hosts_[node - 1] != HostState::unknown) return false;
    know(node, HostState::up);
    if (!started()) return false;
    const uint32_t ranks = unended(node - 1);
    running_ += ranks;
    return ranks > 0;
}

void JobRecord::node_staged(NodeIndex node) {
    if (node > 0 && node <= staged_.size()) staged_[node - 1] = true;
}

std::vector<std::string> JobRecord::unstaged_hosts() const {
    std::vector<std::string> names;
    for (size_t i = 0; i < hosts_.size(); ++i) {
        if (hosts_[i] == HostState::up && !staged_[i]) names.push_back(plan_.hosts[i].name);
    }
    return names;
}

void JobRecord::lose_ranks(NodeIndex node) {
    if (!placed()) return;
    const bool ran = started() && hosts_[node - 1] == HostState::up;
    for_each_rank(plan_.placement.node(node - 1), [&](uint32_t rank) {
        if (rank_ended_[rank]) return;
        rank_ended_[rank] = true;
        ++ended_;
        if (ran) --running_;
    });
}

void JobRecord::lose_host(NodeIndex node) {
    if (node == 0 || hosts_[node - 1] == HostState::failed) return;
    lose_ranks(node);
    know(node, HostState::failed);
}

void JobRecord::host_failed(const FailureMessage& failure) {
    if (failure.node == 0 || failure.node > hosts_.size()) return;
    // A failure of a host that has failed already adds nothing.
    if (plan_.late() && hosts_[failure.node - 1] == HostState::failed) return;
    lose_host(failure.node);
    for (const auto& [first, count] : failure.below) {
        for (NodeIndex i = 0; i < count && first + i <= hosts_.size(); ++i)
            lose_host(first + i);
    }
    host_failures_.push_back(failure);
}

bool JobRecord::has_ranks(const FailureMessage& failure) const {
    const auto any = [this](NodeIndex first, NodeIndex count) {
        for (NodeIndex node = first; node - first < count && node <= hosts_.size(); ++node)
            if (node > 0 && !plan_.placement.node(node - 1).empty()) return true;
        return false;
    };
    return any(failure.node, 1) ||
           std::any_of(failure.below.begin(), failure.below.end(),
                       [&](const auto& range) { return any(range.first, range.count); });
}

bool JobRecord::may_be_why_others_abort(const RankExit& exit) const {
    return aborted_ && ending_ != Ending::killing && exit.rank != aborter_ &&
           crashed_or_killed(exit.status);
}

bool JobRecord::rank_ended(const RankExit& exit) {
    if (exit.rank >= rank_ended_.size() || rank_ended_[exit.rank]) return false;
    rank_ended_[exit.rank] = true;
    ++ended_;
    if (started() && hosts_[nodes_by_rank_[exit.rank]] == HostState::up) --running_;
    if (exit.status.kind == ExitStatus::Kind::stuck) {
        stuck_.push_back({exit.rank, host_of_rank(exit.rank), exit.status, exit.detail});
        return false;
    }
    if (ending_ != Ending::no && !may_be_why_others_abort(exit)) {
        if (ended_by_launch(exit.status, ending_ == Ending::killing)) {
            ++ended_by_us_;
            if (exit.status.value == SIGKILL) killed_by_us_.push_back(exit.rank);
        } else if (!exit.status.success())
            failed_later_.push_back(exit);
        return false;
    }
    if (exit.status.success()) return false;
    failed_.push_back({exit.rank, host_of_rank(exit.rank), exit.status, exit.detail});
    return true;
}

std::string JobRecord::host_of_rank(uint32_t rank) const {
    if (rank >= nodes_by_rank_.size()) return {};
    return plan_.hosts[nodes_by_rank_[rank]].name;
}

std::vector<NodeIndex> JobRecord::missing_nodes() const {
    std::vector<NodeIndex> nodes;
    for (size_t i = 0; i < hosts_.size(); ++i)
        if (hosts_[i] == HostState::unknown) nodes.push_back(static_cast<NodeIndex>(i) + 1);
    return nodes;
}

std::vector<uint32_t> JobRecord::running_ranks() const {
    std::vector<uint32_t> ranks;
    for (uint32_t rank = 0; rank < rank_ended_.size(); ++rank) {
        if (!rank_ended_[rank] && hosts_[nodes_by_rank_[rank]] == HostState::up)
            ranks.push_back(rank);
    }
    return ranks;
}

std::vector<std::string> JobRecord::hosts_with_running_ranks() const {
    std::vector<std::string> names;
    for (const uint32_t rank : running_ranks())
        names.push_back(host_of_rank(rank));
    return names;
}

}  // namespace launch
