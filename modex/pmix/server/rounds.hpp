// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <list>
#include <memory>

#include "core/async/timer.hpp"
#include "modex/pmix/server/inbox.hpp"

namespace launch {

/// Finds out whether libpmix's thread, which does one thing after another, has handled all earlier
/// calls: it has when it has forgotten a process that it never knew.
class Rounds : public std::enable_shared_from_this<Rounds> {
  public:
    explicit Rounds(std::shared_ptr<Inbox> inbox) : inbox_(std::move(inbox)) {}

    /// Calls `then`, on the executor's thread, when libpmix's has dealt with all that it was asked.
    void after_requests(std::function<void()> then) { start(1, std::move(then)); }

    /// ... and with what it hears from ranks: it looks for that only when it has done what it was
    /// asked, so it gets a pause for that, and a second one in case it was just busy.
    void after_messages(std::function<void()> then) { pause(2, std::move(then)); }

    /// When libpmix has ended: nothing is called any more.
    void close();

  private:
    struct Round {
        Round(std::shared_ptr<Rounds> its_owner, int rounds, std::function<void()> after)
            : owner(std::move(its_owner)),
              left(rounds),
              then(std::move(after)),
              timer(owner->inbox_->executor()) {}

        std::shared_ptr<Rounds> owner;
        int left;  ///< with this one
        std::function<void()> then;
        Timer timer;
    };
    using Place = std::list<Round>::iterator;
    Place add(int left, std::function<void()> then);
    void start(int left, std::function<void()> then) { ask(add(left, std::move(then))); }
    void pause(int left, std::function<void()> then);
    void ask(Place round);
    static void answered(pmix_status_t status, void* cookie);
    void end(const Round* round);

    std::shared_ptr<Inbox> inbox_;
    std::list<Round> rounds_;
};

}  // namespace launch
