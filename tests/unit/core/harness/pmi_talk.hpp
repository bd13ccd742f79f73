// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/async/asio.hpp"
#include "core/base/fd.hpp"

namespace launch {

/// A rank of a simulation speaks PMI-1 over the socket that it has inherited: the one thing there
/// that is the kernel's.
class PmiTalk {
  public:
    /// `env`: of the rank; it names the descriptor.
    PmiTalk(const any_io_executor& executor, const std::vector<std::string>& env);

    /// False: the environment has no PMI_FD.
    bool is_open() const { return socket_.is_open(); }
    /// Sends the line and waits for the answer; empty: the other side has closed the socket.
    awaitable<std::string> ask(std::string line);
    /// A pending ask() returns without an answer.
    void stop_waiting();
    void close();

    /// The value of a field of an answer; empty: it has none.
    static std::string field(const std::string& answer, const std::string& name);

  private:
    asio::generic::stream_protocol::socket socket_;
    std::string unread_;
};

}  // namespace launch
