// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "core/async/asio.hpp"

namespace launch {

/// Bytes that come from somebody else, in their order.
class ByteSource {
  public:
    virtual ~ByteSource() = default;

    /// Suspends until there are some. Up to `limit` bytes; empty at their end and after stop().
    virtual awaitable<std::string> read(size_t limit) = 0;
    /// Ends a pending read.
    virtual void stop() = 0;
};

}  // namespace launch
