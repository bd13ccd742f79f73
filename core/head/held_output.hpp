// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/async/event.hpp"
#include "core/head/console.hpp"
#include "core/head/output_gather.hpp"
#include "core/io/line_assembler.hpp"

namespace launch {

/// Holds the output of a job's ranks, and of processes that they spawn, until the job ends
/// (--gather). If the output differs by more than can be held, all of it is shown as it comes, with
/// the rank before each line.
class HeldOutput {
  public:
    HeldOutput(any_io_executor executor, Console& console)
        : console_(console), moved_on_(std::move(executor)) {}

    /// Suspends while a reader is slow. False: nobody reads the console any more.
    awaitable<bool> take(uint32_t space, const OutputMessage& message);
    void ended(RankOfSpace rank, const ExitStatus& status) { gather_.ended(rank, status); }
    /// The host of each rank of that space. Output of ranks that are never placed is not shown.
    void placed(uint32_t space, std::vector<std::string> hosts) {
        gather_.placed(space, std::move(hosts));
    }
    /// All ranks have ended: shows the lines that have no end.
    awaitable<void> finish();
    /// After finish(): the groups. Nothing: the output was too much and has been shown already.
    std::optional<GatheredOutput> gathered() const;

  private:
    using Key = std::pair<RankOfSpace, Stream>;
    awaitable<bool> spill();
    awaitable<bool> show_labelled(RankOfSpace rank, OutputMessage message);

    Console& console_;
    OutputGather gather_;
    enum class Phase : uint8_t {
        holds,   ///< everything
        spills,  ///< it shows what it held: what comes meanwhile waits
        passes,  ///< what comes, with labels
    };
    Phase phase_ = Phase::holds;
    Event moved_on_;
    std::map<Key, LineAssembler> labelled_;  ///< lines that are shown
};

}  // namespace launch
