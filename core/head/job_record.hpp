// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "core/job/plan.hpp"
#include "core/wire/messages.hpp"

namespace launch {

/// The head's knowledge of a running job: which hosts are up, and how each rank has ended. It is a
/// value without I/O; the head acts on it, and the report is made from it.
class JobRecord {
  public:
    explicit JobRecord(const Plan& plan);

    struct FailedRank {
        uint32_t rank = 0;
        std::string host;
        ExitStatus status;
        std::string detail;
    };

    /// True when ranks of the job run there from now on.
    bool node_up(NodeIndex node);
    void node_unready(const UnreadyMessage& unready) { unready_.push_back(unready); }
    const std::vector<UnreadyMessage>& unready() const { return unready_; }
    /// It has all files of the job.
    void node_staged(NodeIndex node);
    /// The host could not be started on, or it and all below it were lost.
    void host_failed(const FailureMessage& failure);
    /// Ranks were placed on one of the nodes that are lost with it.
    bool has_ranks(const FailureMessage& failure) const;
    /// True when the rank has failed, and not because the job is being ended.
    bool rank_ended(const RankExit& exit);
    /// Notes that the ranks have been placed as the plan says. A plan that places them late has no
    /// ranks before that. Hosts that have failed by then and got no rank count as missing rather
    /// than failed; the ranks of other failed hosts are lost.
    std::vector<FailureMessage> place_ranks();
    bool placed() const { return ranks_ != Ranks::unplaced; }
    /// The head's word is given, or none is needed: ranks run where their host is up.
    void start_ranks();
    bool started() const { return ranks_ == Ranks::started; }
    /// Whether each host is up.
    std::vector<bool> up() const;

    /// From now on ranks end because the job is being ended: none fails by itself any more. They
    /// have that time until SIGKILL.
    void ending(std::chrono::milliseconds grace) {
        ending_ = std::max(ending_, Ending::asked);
        grace_ = grace;
    }
    /// A rank has aborted the job, one of these or of another record. A rank of MPI aborts when it
    /// loses another, and the report of that may come before the end of the lost one: who is
    /// killed or crashes before launch kills has failed, though the job is being ended.
    void aborted(std::optional<uint32_t> rank) {
        aborted_ = true;
        aborter_ = rank;
    }
    /// Notes that the time for ranks to end is over: from now on SIGKILL comes from launch.
    void killing() { ending_ = Ending::killing; }

    /// Every host is up, lost or known to be unreachable.
    bool all_known() const { return known_ == hosts_.size(); }
    /// It has ended, was lost with its host, or does not start.
    bool has_ended(uint32_t rank) const { return rank < rank_ended_.size() && rank_ended_[rank]; }
    bool all_ended() const { return placed() && ended_ == rank_ended_.size(); }
    /// Ranks that have been started and have not ended, of hosts that are up.
    uint32_t running() const { return running_; }
    /// All that there are; 0 before they are placed.
    size_t ranks() const { return rank_ended_.size(); }
    size_t hosts_up() const { return up_; }
    /// Hosts that are up and wait for the job's files; none where it has none.
    std::vector<std::string> unstaged_hosts() const;
    /// Hosts of which nothing is known yet.
    std::vector<NodeIndex> missing_nodes() const;
    /// The name of one of this job's hosts.
    const std::string& name_of(NodeIndex node) const { return plan_.hosts[node - 1].name; }
    std::vector<std::string> hosts_with_running_ranks() const;
    std::vector<uint32_t> running_ranks() const;

    const std::vector<FailureMessage>& host_failures() const { return host_failures_; }
    const std::vector<FailedRank>& failed_ranks() const { return failed_; }
    /// Ranks that failed while the job was being ended, by a cause of their own as far as launch
    /// can tell: the signals that end a job are not such a cause.
    const std::vector<RankExit>& failed_later() const { return failed_later_; }
    /// Ranks whose processes are still there, as nothing ends them.
    const std::vector<FailedRank>& stuck_ranks() const { return stuck_; }
    /// Ranks that were still running when the job began to end, and were ended by a signal.
    uint32_t ended_by_us() const { return ended_by_us_; }
    /// Ranks that SIGTERM did not end, so that launch killed them.
    const std::vector<uint32_t>& killed_by_us() const { return killed_by_us_; }
    /// The time that they had.
    std::chrono::milliseconds grace() const { return grace_; }
    /// Empty for an unknown rank: a relay may name any number.
    std::string host_of_rank(uint32_t rank) const;
    size_t hosts() const { return hosts_.size(); }
    /// See Plan::space.
    uint32_t space() const { return plan_.space; }
    /// The ranks are the head's own children.
    bool here_only() const { return plan_.local; }

  private:
    enum class HostState : uint8_t { unknown, up, failed };
    enum class Ranks : uint8_t { unplaced, placed, started };
    bool may_be_why_others_abort(const RankExit& exit) const;
    void lose_ranks(NodeIndex node);
    /// How many of a host's ranks have not ended.
    uint32_t unended(size_t host) const;
    void lose_host(NodeIndex node);
    void know(NodeIndex node, HostState state);

    const Plan& plan_;
    std::vector<HostState> hosts_;
    std::vector<bool> staged_;
    std::vector<bool> rank_ended_;
    std::vector<uint32_t> nodes_by_rank_;
    std::vector<FailureMessage> host_failures_;
    std::vector<UnreadyMessage> unready_;
    std::vector<FailedRank> failed_;
    std::vector<FailedRank> stuck_;
    std::vector<RankExit> failed_later_;
    std::vector<uint32_t> killed_by_us_;
    size_t known_ = 0;
    size_t up_ = 0;
    size_t ended_ = 0;
    uint32_t running_ = 0;
    uint32_t ended_by_us_ = 0;
    enum class Ending : uint8_t { no, asked, killing } ending_ = Ending::no;
    std::chrono::milliseconds grace_{};
    bool aborted_ = false;
    std::optional<uint32_t> aborter_;  ///< nothing: none of these ranks
    Ranks ranks_ = Ranks::unplaced;
};

}  // namespace launch
