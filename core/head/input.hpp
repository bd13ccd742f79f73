// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "core/async/task_group.hpp"
#include "core/head/job_tree.hpp"
#include "core/io/stdin_reader.hpp"

namespace launch {

/// Standard input on its way to the ranks: read only as they grant it, and not before.
class InputCarrier {
  public:
    InputCarrier(any_io_executor executor, JobTree& tree);

    /// Input may come up to this position.
    void wanted(uint64_t granted);
    /// No rank reads any more; others may ask again.
    void refused();
    /// Stops reading, forever.
    void stop();
    awaitable<void> join() { return tasks_.join(); }

  private:
    awaitable<void> carry();

    any_io_executor executor_;
    JobTree& tree_;
    std::unique_ptr<StdinReader> reader_;
    uint64_t granted_ = 0;
    uint64_t given_ = 0;
    bool stopped_ = false;
    Event changed_;
    TaskGroup tasks_;
};

}  // namespace launch
