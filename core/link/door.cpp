// SPDX-License-Identifier: MIT
#include "core/link/door.hpp"

#include <sys/socket.h>
#include <utility>

#include "core/async/event.hpp"
#include "core/io/fd_stream.hpp"

namespace launch {

Door::Door(any_io_executor executor, LetIn let_in)
    : executor_(executor), let_in_(std::move(let_in)), socket_(executor), tasks_(executor) {}

Status Door::open(const std::string& path) {
    auto socket = listen_at(path);
    if (!socket) return socket.error();
    socket_.assign(socket->release());
    socket_.non_blocking(true);
    tasks_.spawn(accept());
    return Ok{};
}

void Door::close() {
    std::error_code ignored;
    socket_.close(ignored);
}

awaitable<void> Door::accept() {
    while (socket_.is_open()) {
        std::error_code ec;
        auto token = asio::redirect_error(asio::use_awaitable, ec);
        co_await socket_.async_wait(asio::posix::stream_descriptor::wait_read, token);
        if (ec) co_return;
        UniqueFd client(accept4(socket_.native_handle(), nullptr, nullptr, SOCK_CLOEXEC));
        if (client)
            take(std::move(client));
        else
            co_await sleep_for(executor_,
                               std::chrono::milliseconds{1});  // descriptors may have run out
    }
}

void Door::take(UniqueFd socket) {
    const Peer peer = peer_of(socket.get());
    if (!peer.is_trusted()) return;
    const auto link = std::make_shared<FramedLink>(
        executor_, std::make_unique<FdStream>(executor_, std::move(socket)), link_magic);
    tasks_.spawn(write_to_end(link));
    let_in_(peer, link);
}

}  // namespace launch
