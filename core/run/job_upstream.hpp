// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/async/asio.hpp"
#include "core/wire/input_messages.hpp"
#include "core/wire/job_report.hpp"
#include "core/wire/stage_messages.hpp"

namespace launch {

/// Where the reports of a job at a node go: in a relay, with the job's number, up the tree; in the
/// head to the job's record and the terminal. Only output waits (back-pressure); the rest is small
/// and goes at once.
class JobUpstream {
  public:
    virtual ~JobUpstream() = default;

    /// The job's ranks have been placed, late: from now on no host is being started.
    virtual void placed_late() = 0;
    /// A report that ranks cannot start here comes before the node is reported as up.
    virtual void report(const JobReport& report) = 0;
    /// The job's part at the node has ended: told after all its output.
    virtual awaitable<void> ended(NodeIndex node) = 0;
    /// The node cannot take part in the job.
    virtual void failure(const FailureMessage& failure) = 0;
    virtual void notice(const NoticeMessage& notice) = 0;
    /// More of the files may come. Not called at the root.
    virtual void stage_wanted(const WantedMessage& message) = 0;
    /// From this node's modex server to its parent's. Not called at the root.
    virtual void modex(std::string message) = 0;
    /// Standard input may come so far.
    virtual void input_wanted(const InputGrant& grant) = 0;
    /// Nobody here reads standard input (any more).
    virtual void input_refused() = 0;
    /// Suspends while the reader is slow; the bytes outlive that. False: the reader is gone.
    virtual awaitable<bool> output(OutputMessage message) = 0;
};

}  // namespace launch
