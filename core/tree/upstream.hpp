// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/async/asio.hpp"
#include "core/wire/frame.hpp"
#include "core/wire/link_messages.hpp"
#include "core/wire/messages.hpp"
#include "core/wire/route_messages.hpp"
#include "core/wire/starts.hpp"

namespace launch {

/// Where a node's reports go: in the head to the job's record and the terminal, in a relay as
/// frames to its parent. Only output waits (back-pressure); the rest is small and goes at once.
class Upstream {
  public:
    virtual ~Upstream() = default;

    virtual void failure(const FailureMessage& failure) = 0;
    virtual void notice(const NoticeMessage& notice) = 0;
    /// How far this node is with those that it starts.
    virtual void starts(const StartsMessage& starts) = 0;
    /// Where the nodes of this one's block take direct links.
    virtual void contacts(const ContactsMessage& contacts) = 0;
    /// This node has its place in the routing tree.
    virtual void routed(const RoutedMessage& routed) = 0;
    /// These are below this node now, and were not.
    virtual void gained(const MovedMessage& nodes) = 0;
    /// These nodes were below this node and have left the tree, as ordered.
    virtual void left(const NodesMessage& nodes) = 0;
    /// Perhaps not what it was: Node::waits_for_head().
    virtual void waiting_changed() = 0;
    /// A report from a node below, in its envelope (wire/link_messages.hpp). `fresh`: it has not
    /// been here before. One that has been goes on all the same: where a link above broke, it may
    /// have been lost with that.
    virtual void pass(FrameType type, std::string_view payload, const Report& report,
                      bool fresh) = 0;
    virtual awaitable<bool> pass_output(std::string payload, bool fresh) = 0;
};

}  // namespace launch
