// SPDX-License-Identifier: MIT
#pragma once

#include <set>

#include "core/async/event.hpp"
#include "core/head/job_tree.hpp"

namespace launch {

/// A job that has come to a tree which runs, as the head of that tree has it: most of what a tree
/// tells is of no concern to it, as its hosts are up, and where its ranks go is known. It ends node
/// by node. Files and the exchange are the head's own: it has its part of the job, too, and where
/// that machine is all there is, the ranks.
class GuestJob : public TreeJob, public JobUpstream {
  public:
    using TreeJob::take;

    void hosts_up(const std::vector<NodeIndex>&) override {}
    void hosts_starting(const StartsMessage&) override {}
    void note(const std::string&) override {}
    void routes_changed() override {}
    void take(const NodeStats&) override {}
    void placed_late() override {}
    awaitable<void> ended(NodeIndex node) override;
    /// A report of the job's part at the head; it is handled like one of another node.
    void report(const JobReport& report) override { take(report); }
    void stage_wanted(const WantedMessage&) override {}  // the head has the files
    void modex(std::string) override {}                  // the head is the root of the exchange
    void input_wanted(const InputGrant&) override {}
    void input_refused() override {}

  protected:
    explicit GuestJob(any_io_executor executor) : changed_(std::move(executor)) {}

    /// Stops waiting for the hosts that this failure names.
    void drop_failed(const FailureMessage& failure);

    /// Nodes at which the job has not ended: the head's own node, and the nodes with ranks of the
    /// job. The job waits for no other node, because that node has nothing to report, and may be
    /// about to be lost.
    std::set<NodeIndex> pending_;
    Event changed_;
};

}  // namespace launch
