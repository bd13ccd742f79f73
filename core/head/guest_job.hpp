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
    /// Of the job's part at the head: as one from elsewhere.
    void report(const JobReport& report) override { take(report); }
    void stage_wanted(const WantedMessage&) override {}  // the head has the files
    void modex(std::string) override {}                  // the head is the root of the exchange
    void input_wanted(const InputGrant&) override {}
    void input_refused() override {}

  protected:
    explicit GuestJob(any_io_executor executor) : changed_(std::move(executor)) {}

    /// Those that the word of a loss names are not waited for.
    void drop_failed(const FailureMessage& failure);

    /// Nodes at which it has not ended: the head's own, and those with ranks of it. Of others,
    /// which have nothing of it to tell, none is waited for, as one of them may be about to be
    /// lost.
    std::set<NodeIndex> pending_;
    Event changed_;
};

}  // namespace launch
