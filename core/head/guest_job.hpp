#pragma once

#include "core/head/job_tree.hpp"

namespace launch {

/// A job that has come to a tree which runs, as the head of that tree has it: most of what a tree
/// tells is of no concern to it, as its hosts are up, where its ranks go is known and the head has
/// none of them.
class GuestJob : public TreeJob, public JobUpstream {
  public:
    using TreeJob::take;

    void hosts_up(const std::vector<NodeIndex>&) override {}
    void hosts_starting(const StartsMessage&) override {}
    void note(const std::string&) override {}
    void routes_changed() override {}
    void take(const NodeStats&) override {}
    void placed_late() override {}
    /// Of the job's part at the head: as one from elsewhere.
    void report(const JobReport& report) override { take(report); }
    void stage_wanted(const WantedMessage&) override {}  // the head has the files
    void modex(std::string) override {}                  // the head is the root of the exchange
    void input_wanted(const InputGrant&) override {}
    void input_refused() override {}
};

}  // namespace launch
