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

/// What the ranks of a job and of the processes that they ask for write, held until the job ends
/// (--gather). Where more of it differs than can be held, all of it comes as it is instead, with
/// the rank before each line.
class HeldOutput {
  public:
    HeldOutput(any_io_executor executor, Console& console)
        : console_(console), moved_on_(std::move(executor)) {}

    /// Suspends while a reader is slow. False: nobody reads the console any more.
    awaitable<bool> take(uint32_t space, const OutputMessage& message);
    void ended(RankOfSpace rank, const ExitStatus& status) { gather_.ended(rank, status); }
    /// The host of each rank of that space. Of ranks that are never placed nothing is shown.
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
