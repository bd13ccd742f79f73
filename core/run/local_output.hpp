// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "core/io/line_label.hpp"
#include "core/io/output_files.hpp"
#include "core/job/rank_env.hpp"
#include "core/modex_server.hpp"
#include "core/run/job_upstream.hpp"

namespace launch {

/// How what a rank writes to one of its streams is shown, and where it goes.
struct OutputChannel {
    LineLabel label;       ///< before every line
    std::string file;      ///< on this host; empty: none
    bool prompts = false;  ///< what begins a line is shown when it has rested for a moment
};

/// Where the output of the ranks of a job at one node goes: to the head, to files here, or both.
class LocalOutput {
  public:
    /// The job is known when its first rank is started; it outlives this.
    LocalOutput(any_io_executor executor, const JobMessage& job, JobUpstream& upstream,
                ModexServer& modex)
        : executor_(executor), job_(job), upstream_(upstream), modex_(modex) {}

    /// The channel of the rank with that identity, in that program.
    OutputChannel channel(const RankIdentity& rank, size_t program, Stream stream) const;
    /// Suspends while the reader or the disk is slow; the bytes outlive that. False: nobody wants
    /// more of it.
    awaitable<bool> write(const OutputChannel& channel, OutputMessage message);
    /// Suspends until all files are written.
    awaitable<void> drain();

  private:
    void tell_fault(uint32_t rank);

    any_io_executor executor_;
    const JobMessage& job_;
    JobUpstream& upstream_;
    ModexServer& modex_;  ///< tools may read along there
    std::optional<OutputFiles> files_;
    bool fault_told_ = false;
    uint32_t last_rank_ = 0;  ///< that wrote to a file
};

}  // namespace launch
