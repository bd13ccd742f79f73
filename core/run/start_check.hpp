// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/debug/debugger.hpp"
#include "core/job/placement.hpp"
#include "core/process/why_not_started.hpp"
#include "core/wire/messages.hpp"

namespace launch {

/// A look at files, before anything is started: which of the job's programs cannot start on this
/// host, of those that have ranks among `runs`; of all, where the job's ranks are not placed yet.
/// Where the job's own folder is missing nothing else is looked at: ranks may start at home.
class StartCheck {
  public:
    StartCheck(const JobMessage& job, const std::vector<RankRun>& runs);

    /// Blocks, perhaps for good. On any thread.
    void run();
    /// Then: programs that cannot start.
    const std::vector<UnreadyMessage::Program>& unready() const { return unready_; }
    /// And where each of the job's programs was found, by its index; empty: it was not, was not
    /// looked for, or is said to be where the rank starts.
    const std::vector<std::string>& found() const { return found_; }
    /// While it runs: what has not been answered for so long.
    UnreadyMessage::Program unanswered(milliseconds time) const;

  private:
    struct Look {
        uint32_t program = 0;
        bool staged = false;
        ProgramPlace place;
        std::vector<std::string> argv;
    };

    ProgramLook look_at(const Look& look, const LookingAt& looking_at) const;

    std::optional<Debugger> debugger_;
    std::vector<Look> looks_;
    std::vector<UnreadyMessage::Program> unready_;
    std::vector<std::string> found_;
    mutable std::mutex mutex_;
    uint32_t program_ = 0;  ///< under the mutex, as is where it looks
    std::string path_;
};

/// Ranks of the program start in the job's folder, which a host may lack.
bool lacks_job_folder(const std::vector<Program>& programs, const UnreadyMessage::Program& unready);

}  // namespace launch
