// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <stop_token>

#include "core/async/event.hpp"
#include "core/link/direct_links.hpp"
#include "core/link/framed_link.hpp"

namespace launch {

/// Moves a relay's link to its parent onto a direct one when that is worth its price: a handshake
/// of about a millisecond on both sides, and OpenSSL's code in memory, against the detour through
/// ssh's server and its pipes, which costs some 60 us of CPU with every message of a fence. So it
/// moves when as much has been spent on detours, and a program that says little never pays: never
/// is more than twice the least spent (the ski-rental rule). Neighbours in the tree do not move all
/// at once, or one fence would wait for the handshakes of all.
class DirectMove {
  public:
    /// Told once, when a direct link did not come up.
    using Failed = std::function<void(const Error& error)>;

    /// `self`: this node. `limit`: until a parent must answer that has to.
    DirectMove(any_io_executor executor, std::shared_ptr<FramedLink> link, DirectLinks& links,
               NodeIndex self, Contact parent, LinkChoice choice, std::chrono::milliseconds limit,
               Failed failed);

    /// Until the link has moved or stop().
    awaitable<void> run();
    void stop();
    /// A message went up that others wait for.
    void said() {
        if (++messages_ == enough_messages_) changed_.notify();
    }
    /// More will come than a direct link costs.
    void expect_much() {
        expected_ = true;
        changed_.notify();
    }

    /// After so many messages that node's link moves, if no other reason comes first.
    static int messages_before(NodeIndex node);

  private:
    awaitable<Result<std::unique_ptr<ByteStream>>> call(std::stop_token stop);
    static constexpr uint64_t enough_bytes = 1u << 20;

    bool worth_it() const;
    Error no_address() const;

    any_io_executor executor_;
    std::shared_ptr<FramedLink> link_;
    DirectLinks& links_;
    Contact parent_;
    LinkChoice choice_;
    std::chrono::milliseconds limit_;
    Failed failed_;
    Event changed_;
    std::stop_source stop_;
    const int enough_messages_;
    int messages_ = 0;
    bool expected_ = false;
    bool told_ = false;
};

}  // namespace launch
