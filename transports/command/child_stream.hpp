// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/process/reaper.hpp"
#include "core/transport.hpp"

namespace launch {

/// The standard streams of a child process of ours that carries a remote command: ssh, rsh, ...
/// Its standard error is always drained and its end kept; the child dies with us or by close().
class ChildStream : public ByteStream {
  public:
    /// Where its words go.
    enum class Words : unsigned char {
        apart,     ///< what it says on standard error is error_text(), and not of the stream
        together,  ///< all is of the stream, line by line, as a program says it to a terminal
    };
    /// The stream, or why the program could not be started here. `own_failure`: the exit code that
    /// tells of the program itself, and nothing of the remote command's end.
    static Result<std::unique_ptr<ChildStream>> start(const any_io_executor& executor,
                                                      Reaper& reaper,
                                                      const std::vector<std::string>& argv,
                                                      std::optional<int> own_failure,
                                                      Words words = Words::apart);
    ~ChildStream() override;
    ChildStream(const ChildStream&) = delete;
    ChildStream& operator=(const ChildStream&) = delete;

    enum class First : unsigned char { spoke, ended, timed_out, stopped };
    /// Waits until the child has written its first byte, which is kept for read_some(), or has
    /// ended; call it before anything else. The stream is closed where it did neither in time.
    awaitable<First> wait_for_first_byte(Clock::time_point deadline, std::stop_token stop);

    awaitable<size_t> read_some(std::span<char> buffer) override;
    awaitable<size_t> write_some(std::span<const char> bytes) override;
    void close() noexcept override;
    std::string error_text() const override;
    std::optional<int> exit_code() const override;

  private:
    class Core;
    ChildStream(std::shared_ptr<Core> core, std::optional<int> own_failure);
    std::shared_ptr<Core> core_;
    std::optional<int> own_failure_;
};

}  // namespace launch
