// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/async/asio.hpp"
#include "core/run/job_upstream.hpp"
#include "core/wire/assignment.hpp"
#include "core/wire/frame.hpp"
#include "core/wire/signal_message.hpp"
#include "core/wire/starts.hpp"
#include "core/wire/stats.hpp"

namespace launch {

/// Receives reports of a tree about itself, at its head.
class TreeWatch {
  public:
    virtual ~TreeWatch() = default;

    virtual void hosts_up(const std::vector<NodeIndex>& nodes) = 0;
    /// How far the start of hosts is.
    virtual void hosts_starting(const StartsMessage& starts) = 0;
    /// They could not be started, or were lost; node 0: this process itself cannot go on.
    virtual void hosts_failed(const FailureMessage& failure) = 0;
    virtual void notice(const NoticeMessage& notice) = 0;
    /// Something that the user is to read now.
    virtual void note(const std::string& text) = 0;
    /// HeadTree::settle_routes() may have come further.
    virtual void routes_changed() = 0;
};

/// Receives reports of a tree for one job that runs on it.
class TreeJob : public TreeWatch {
  public:
    virtual void take(const JobReport& report) = 0;
    virtual void take(const NodeStats& stats) = 0;
    /// From a node's part of it. While this is suspended no output of any job comes from there, nor
    /// from its neighbours.
    virtual awaitable<bool> output(NodeIndex origin, OutputMessage message) = 0;
    /// The job's part at this node will report nothing more, and all of its output has come: it has
    /// ended there, or none of its processes is left, and it waits for the end of the job.
    virtual awaitable<void> ended(NodeIndex node) = 0;
    /// It has ranks there, or may have yet.
    virtual bool uses(NodeIndex node) const = 0;
};

/// The tree on which a job runs, as the head's part of the job sees it: started for the job
/// (OwnTree), or of a session (SessionTree).
class JobTree {
  public:
    virtual ~JobTree() = default;

    /// Before start(). The listeners outlive the job's end.
    virtual const JobMessage& begin(JobMessage message, JobUpstream& upstream, TreeJob& job) = 0;
    /// With where ranks are; nothing: they are placed late, see assign().
    virtual void start(std::optional<AssignmentMessage> placed) = 0;
    /// Once, late. Nodes of `lost` were up and are not any more.
    virtual void assign(AssignmentMessage message,
                        const std::vector<AssignmentMessage::Part>& lost) = 0;
    /// To the job's part at every node, see NodeJob::ordered().
    virtual void order(FrameType type, uint64_t value) = 0;
    virtual void signal(const SignalMessage& order) = 0;
    /// Each node with ranks of the job answers by TreeJob::take(), several together where possible.
    virtual void survey(const SurveyOrder& order) = 0;
    /// To the node whose rank has asked for processes.
    virtual void answer(const SpawnedMessage& answer) = 0;
    /// Passes on bytes from standard input; no bytes mean its end.
    virtual void give_input(std::string_view bytes) = 0;
    /// Hosts that are not up are not waited for any more, and not told of.
    virtual void end_start() = 0;
    /// This process is about to be stopped: no death.
    virtual void pause() = 0;
    /// It was, and goes on.
    virtual void resume() = 0;
    /// Before ranks are placed late: true when all nodes are where they are to be, and else asked
    /// again at routes_deadline().
    virtual bool settle_routes() = 0;
    virtual Clock::time_point routes_deadline() const = 0;
    /// The head's own node cannot go on.
    virtual void failure(const FailureMessage& failure) = 0;
    /// The job is over. The result names the hosts that have not cleaned up within
    /// patience::leave_head_within() of the job's --kill-grace.
    virtual awaitable<std::vector<std::string>> finish() = 0;

    virtual NodeStats stats() const = 0;
    virtual LinkCounts counts() const = 0;
};

}  // namespace launch
