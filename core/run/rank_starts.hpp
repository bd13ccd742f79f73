// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/async/asio.hpp"
#include "core/run/rank.hpp"

namespace launch {

/// The starts of the ranks of one node. A thread makes them one after the other and hands back each
/// by itself, so that a start that takes long keeps back none that was made before it. Both threads
/// share this, because the one that makes the starts may be left behind in a start that never ends.
class RankStarts : public std::enable_shared_from_this<RankStarts> {
  public:
    using Start = std::shared_ptr<RankStart>;

    /// `made` is called by the executor's thread when take() has something, until close().
    RankStarts(any_io_executor executor, std::function<void()> made)
        : made_(std::move(made)), executor_(std::move(executor)) {}

    /// Before make().
    void add(Start start) { queue_.push_back(std::move(start)); }
    /// Makes them all, in a thread that lives as long as the ranks. The last may be there when this
    /// returns without a call of `made`.
    void make();

    // By the executor's thread:

    /// Returns the starts that are made by now, in the order of add(). Each is returned once.
    std::vector<Start> take();
    /// Takes back one that has not begun. False: it has.
    bool withdraw(const RankStart& start);
    /// Nothing begins any more, what is made is killed at once, and `made` is not called.
    void close();

  private:
    std::function<void()> made_;               ///< of the executor's thread; null after close()
    std::mutex mutex_;                         ///< for what follows
    std::optional<any_io_executor> executor_;  ///< none: closed, perhaps its io_context is gone
    std::deque<Start> queue_;
    Start begun_;  ///< null: none is being made
    std::vector<Start> done_;
};

}  // namespace launch
