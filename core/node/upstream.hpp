#pragma once

#include <string>
#include <vector>

#include "core/async/asio.hpp"
#include "core/wire/frame.hpp"
#include "core/wire/link_messages.hpp"
#include "core/wire/messages.hpp"
#include "core/wire/route_messages.hpp"
#include "core/wire/stage_messages.hpp"

namespace launch {

/// Where a node's news go: in the head to the job's record and the terminal, in a relay as
/// frames to its parent. Only output waits (back-pressure); the rest is small and goes at once.
class Upstream {
  public:
    virtual ~Upstream() = default;

    virtual void nodes_up(const std::vector<NodeIndex>& nodes) = 0;
    /// Ranks cannot start here: told before nodes_up().
    virtual void unready(const UnreadyMessage& unready) = 0;
    virtual void failure(const FailureMessage& failure) = 0;
    virtual void exits(const std::vector<RankExit>& exits) = 0;
    virtual void notice(const NoticeMessage& notice) = 0;
    virtual void fault(const FaultMessage& fault) = 0;
    /// These nodes have all files of the job, and start their ranks.
    virtual void staged(const std::vector<NodeIndex>& nodes) = 0;
    /// Where the nodes of this one's block take direct links.
    virtual void contacts(const ContactsMessage& contacts) = 0;
    /// This node has its link to the parent in the routing tree, or cannot have it.
    virtual void routed(const RoutedMessage& routed) = 0;
    /// More of the files may come. Not called at the root.
    virtual void stage_wanted(const WantedMessage& message) = 0;
    /// News from below, in their envelope (wire/link_messages.hpp); `fresh`: they have not been
    /// here before. Those that have must go on all the same where a link above broke.
    virtual void pass(FrameType type, std::string_view payload, const News& news, bool fresh) = 0;
    virtual awaitable<bool> pass_output(std::string payload, bool fresh) = 0;
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
