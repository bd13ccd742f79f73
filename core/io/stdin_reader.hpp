// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "core/async/detached_pool.hpp"
#include "core/io/byte_source.hpp"

namespace launch {

/// Reads the head's standard input, only when asked to and never ahead, from a thread: the
/// descriptor is shared with others and stays blocking. In a background job it waits until the
/// job is in the foreground instead of being stopped by the terminal.
class StdinReader final : public ByteSource {
  public:
    explicit StdinReader(any_io_executor executor, int fd = 0);
    ~StdinReader() override;
    StdinReader(const StdinReader&) = delete;
    StdinReader& operator=(const StdinReader&) = delete;

    /// Up to `limit` bytes; empty at the end of the input and after stop().
    awaitable<std::string> read(size_t limit) override;
    /// Ends a pending read. One that is in the kernel is left behind: another process may have
    /// taken the bytes that it was to get, or a file server may be down.
    void stop() override;

  private:
    class Source;

    std::shared_ptr<Source> source_;  ///< also of the thread
    std::stop_source stop_;
    DetachedPool thread_;
};

}  // namespace launch
