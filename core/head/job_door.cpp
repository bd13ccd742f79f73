// SPDX-License-Identifier: MIT
#include "core/head/job_door.hpp"

#include <fstream>
#include <set>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>

#include "core/async/event.hpp"
#include "core/base/build_id.hpp"
#include "core/base/number_text.hpp"
#include "core/io/fd_stream.hpp"
#include "core/io/local_socket.hpp"
#include "core/wire/messages.hpp"

namespace launch {
namespace {

std::string door_prefix() {
    return "@launch-" + std::to_string(geteuid()) + "-job-";
}

}  // namespace

std::string door_of_job(pid_t process) {
    return door_prefix() + std::to_string(process);
}

/// The last word of a line of /proc/net/unix is the socket's name. Connections have it, too.
std::vector<pid_t> jobs_with_doors() {
    std::set<pid_t> found;
    const std::string prefix = door_prefix();
    std::ifstream sockets("/proc/net/unix");
    for (std::string line; std::getline(sockets, line);) {
        const std::string_view name = std::string_view(line).substr(line.rfind(' ') + 1);
        if (!name.starts_with(prefix)) continue;
        if (const auto process = parse_number<pid_t>(name.substr(prefix.size())))
            found.insert(*process);
    }
    return {found.begin(), found.end()};
}

JobDoor::JobDoor(any_io_executor executor, Job job)
    : executor_(executor), job_(std::move(job)), socket_(executor), tasks_(executor) {}

void JobDoor::open(pid_t process) {
    auto socket = listen_at(door_of_job(process));
    if (!socket) return;
    socket_.assign(socket->release());
    socket_.non_blocking(true);
    tasks_.spawn(accept());
}

void JobDoor::close() {
    std::error_code ignored;
    socket_.close(ignored);
    for (const auto& each : links_)
        if (const Link link = each.lock()) link->close();
}

awaitable<void> JobDoor::accept() {
    while (socket_.is_open()) {
        std::error_code ec;
        auto token = asio::redirect_error(asio::use_awaitable, ec);
        co_await socket_.async_wait(asio::posix::stream_descriptor::wait_read, token);
        if (ec) co_return;
        UniqueFd client(accept4(socket_.native_handle(), nullptr, nullptr, SOCK_CLOEXEC));
        if (client)
            let_in(std::move(client));
        else
            co_await sleep_for(executor_, milliseconds{1});  // descriptors may have run out
    }
}

void JobDoor::let_in(UniqueFd socket) {
    if (!peer_of(socket.get()).is_trusted()) return;
    UniqueFd second(dup(socket.get()));
    auto stream = std::make_unique<FdStream>(executor_, std::move(socket), std::move(second));
    const auto link = std::make_shared<FramedLink>(executor_, std::move(stream), link_magic);
    std::erase_if(links_, [](const auto& each) { return each.expired(); });
    links_.push_back(link);
    tasks_.spawn(write_to_end(link));
    tasks_.spawn(serve(link));
}

awaitable<void> JobDoor::serve(Link link) {
    link->send(FrameType::hello, Hello{Hello::current_version, own_build_id()}.encode());
    link->send(FrameType::session_state, job_.state().encode());
    for (;;) {
        const auto frame = co_await link->receive();
        if (!frame || !frame->has_value()) break;
        const bool is_request = (*frame)->type == FrameType::session_request;
        auto request = is_request ? decode_session_request((*frame)->payload) : std::nullopt;
        if (!request) break;
        const auto answer = co_await job_.answer(*std::move(request));
        link->send(FrameType::session_answer, answer.encode());
    }
    link->close();
}

}  // namespace launch
