// SPDX-License-Identifier: MIT
#pragma once

#include "core/async/asio.hpp"
#include "core/base/error.hpp"
#include "core/job/exit_status.hpp"
#include "core/wire/messages.hpp"

namespace launch {

/// Where the head puts what the ranks of a job write.
class OutputSink {
  public:
    virtual ~OutputSink() = default;

    /// Suspends while a reader or a disk is slow. False: something cannot be written, which
    /// file_error() or the console knows.
    virtual awaitable<bool> take(const OutputMessage& message) = 0;
    virtual void ended(uint32_t rank, const ExitStatus& status) = 0;
    /// Names the hosts of the ranks for output that is held until the end. Call after placement.
    virtual void tell_hosts() const = 0;
    /// All ranks have ended: suspends until files are written.
    virtual awaitable<void> finish() = 0;
    /// A file here could not be written.
    virtual const Error* file_error() const = 0;
};

}  // namespace launch
