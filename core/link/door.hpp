// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/async/task_group.hpp"
#include "core/io/local_socket.hpp"
#include "core/link/framed_link.hpp"

namespace launch {

/// A socket of this machine at which processes of this user, or of root, come in.
class Door {
  public:
    /// Takes a process that has come in, and the link to it, for which a writer runs until the link
    /// is closed.
    using LetIn = std::function<void(const Peer& who, std::shared_ptr<FramedLink> link)>;
    Door(any_io_executor executor, LetIn let_in);

    /// See listen_at().
    Status open(const std::string& path);
    bool is_open() const { return socket_.is_open(); }
    /// Nobody comes in any more. Call join() then, and close the links.
    void close();
    awaitable<void> join() { return tasks_.join(); }

  private:
    awaitable<void> accept();
    void take(UniqueFd socket);

    any_io_executor executor_;
    LetIn let_in_;
    asio::posix::stream_descriptor socket_;
    TaskGroup tasks_;
};

}  // namespace launch
