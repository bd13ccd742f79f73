// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "core/async/task_group.hpp"
#include "core/head/job_tree.hpp"
#include "core/io/byte_source.hpp"

namespace launch {

/// Standard input of the ranks, on its way to them: read only as they grant it, and not before.
class InputCarrier {
  public:
    /// The source outlives this.
    InputCarrier(any_io_executor executor, JobTree& tree, ByteSource& source);

    /// Input may come up to this position.
    void wanted(uint64_t granted);
    /// Waits for more of it: a rank wants to read.
    bool is_reading() const { return reading_; }
    /// No rank reads any more; others may ask again.
    void refused();
    /// Stops reading, forever.
    void stop();
    awaitable<void> join() { return tasks_.join(); }

  private:
    awaitable<void> carry();

    JobTree& tree_;
    ByteSource& source_;
    uint64_t granted_ = 0;
    uint64_t given_ = 0;
    bool carries_ = false;
    bool stopped_ = false;
    bool reading_ = false;
    Event changed_;
    TaskGroup tasks_;
};

}  // namespace launch
