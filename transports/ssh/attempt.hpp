// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "core/start_clock.hpp"

namespace launch {

/// Joins the blocking part of one start, in a thread of the pool, with the io_context's thread
/// that watches the clock and the job: tells how far the work is, and ends it by shutting down
/// the sockets that it waits for.
class Attempt {
  public:
    /// The io_context's side: ends the work soon. Idempotent, from any thread.
    void give_up();

    /// The work's side: `stage` is a constant of start_error.
    void enter(const char* stage) { stage_ = stage; }
    bool given_up() const { return given_up_; }

    /// The work's side: we are logged in.
    void authenticated() {
        if (clock) clock->enter(StartStage::start);
    }
    std::shared_ptr<StartClock> clock;  ///< set before the work begins; null: nobody asks

    /// The stage that was entered last.
    const char* stage() const { return stage_; }

    /// While it lives, give_up() shuts a socket down. Works on a duplicate of its own: libssh
    /// may close the original at any time, and its number may become another file's.
    class Guard {
      public:
        Guard(Attempt& attempt, int socket);
        ~Guard();
        Guard(const Guard&) = delete;
        Guard& operator=(const Guard&) = delete;
        /// Ends the connection for whoever still holds the original.
        void shut_down() const;

      private:
        Attempt& attempt_;
        int fd_;
    };

  private:
    std::atomic<const char*> stage_{""};
    std::atomic<bool> given_up_{false};
    std::mutex mutex_;
    std::vector<int> guarded_;
};

}  // namespace launch
