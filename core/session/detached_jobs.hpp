// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>

#include "core/wire/session_messages.hpp"

namespace launch {

/// The jobs of a session that have no terminal: where their output is, and how they ended. The ends
/// of the latest ones are remembered, so that a late question is answered too. Sans I/O.
class DetachedJobs {
  public:
    static constexpr size_t most_remembered = 1000;

    /// It runs; its output goes to that file.
    void begin(JobNumber job, std::string output);
    /// Nothing: the process that ran it was killed. The first word counts.
    void end(JobNumber job, std::optional<int> exit_code);
    /// The output file of a detached job; empty: it is not a detached job, or is not remembered.
    std::string output(JobNumber job) const;
    /// For who waits for its end; nothing: it runs.
    std::optional<SessionAnswer> outcome(JobNumber job) const;

  private:
    struct Job {
        std::string output;
        std::optional<SessionAnswer> outcome;
    };
    std::map<JobNumber, Job> jobs_;
    std::deque<JobNumber> ended_;  ///< the oldest first
};

}  // namespace launch
