#pragma once

#include <string>

#include "core/async/worker_pool.hpp"
#include "core/base/fd.hpp"

namespace launch {

/// Reads the head's standard input, only when asked to and never ahead, from a thread: the
/// descriptor is shared with others and stays blocking. In a background job it waits until the
/// job is in the foreground instead of being stopped by the terminal.
class StdinReader {
  public:
    explicit StdinReader(any_io_executor executor);

    /// Up to `limit` bytes; empty at the end of the input and after stop().
    awaitable<std::string> read(size_t limit);
    /// Ends a pending read.
    void stop();

  private:
    std::string read_blocking(size_t limit);

    UniqueFd stop_event_;
    WorkerPool pool_;
};

}  // namespace launch
