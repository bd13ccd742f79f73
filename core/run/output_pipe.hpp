// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>

#include "core/async/asio.hpp"

namespace launch {

/// Our end of a pipe into which a rank writes, or of its terminal. When the rank has ended and
/// others still hold the other end, it is cut: what is in the pipe is carried on, what comes later
/// is not.
class OutputPipe {
  public:
    explicit OutputPipe(const any_io_executor& executor) : pipe(executor) {}

    asio::posix::stream_descriptor pipe;
    std::optional<size_t> rest = {};  ///< so much is still to be read; nothing: until its end

    void cut();
    /// So many bytes were read. `was_cut`: already when the read was begun.
    void took(size_t bytes, bool was_cut);

  private:
    size_t waiting();
};

}  // namespace launch
