#pragma once

#include <string>
#include <vector>

#include "core/tree/upstream.hpp"
#include "core/wire/stage_messages.hpp"

namespace launch {

/// Where the reports of a job at a node go, beside those of the tree.
class JobUpstream : public Upstream {
  public:
    virtual void nodes_up(const std::vector<NodeIndex>& nodes) = 0;
    /// Ranks cannot start here: told before nodes_up().
    virtual void unready(const UnreadyMessage& unready) = 0;
    virtual void exits(const std::vector<RankExit>& exits) = 0;
    virtual void fault(const FaultMessage& fault) = 0;
    /// These nodes have all files of the job, and start their ranks.
    virtual void staged(const std::vector<NodeIndex>& nodes) = 0;
    /// More of the files may come. Not called at the root.
    virtual void stage_wanted(const WantedMessage& message) = 0;
    /// From this node's modex server to its parent's. Not called at the root.
    virtual void modex(std::string message) = 0;
    /// So many more bytes of standard input are wanted.
    virtual void input_wanted(uint64_t bytes) = 0;
    /// Nobody here reads standard input (any more).
    virtual void input_refused() = 0;
    /// An encoded OutputMessage. Suspends while the reader is slow. False: the reader is gone.
    virtual awaitable<bool> output(std::string message) = 0;
};

}  // namespace launch
