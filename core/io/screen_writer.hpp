// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/async/asio.hpp"

namespace launch {

/// Writes for a person or a program that may be slow to read. Bytes stay in their order.
class ScreenWriter {
  public:
    virtual ~ScreenWriter() = default;

    /// Queues the bytes; suspends while too many of them wait. False: they cannot be written, see
    /// error().
    virtual awaitable<bool> write(std::string bytes) = 0;
    /// Queues without waiting: for the few lines of launch's own.
    virtual void write_now(std::string bytes) = 0;
    /// Suspends until everything is written, writing has failed, or a moment after give_up().
    virtual awaitable<void> drain() = 0;
    /// Waits for whoever takes the bytes no longer: what comes when the queue is full is dropped.
    virtual void give_up() = 0;

    /// errno of the first failed write; 0: none.
    virtual int error() const = 0;
};

}  // namespace launch
