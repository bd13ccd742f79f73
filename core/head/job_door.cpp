// SPDX-License-Identifier: MIT
#include "core/head/job_door.hpp"

#include <fstream>
#include <set>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/build_id.hpp"
#include "core/base/number_text.hpp"
#include "core/wire/messages.hpp"

namespace launch {
namespace {

/// Numbers of processes are those of one PID name space, sockets those of a network name space.
std::string door_prefix() {
    struct stat numbers {};
    stat("/proc/self/ns/pid", &numbers);
    return "@launch-" + std::to_string(geteuid()) + "-" + std::to_string(numbers.st_ino) + "-job-";
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
    : job_(std::move(job)),
      door_(executor, [this](const Peer&, Link link) { let_in(std::move(link)); }),
      tasks_(executor) {}

void JobDoor::open(pid_t process) {
    static_cast<void>(door_.open(door_of_job(process)));
}

void JobDoor::close() {
    door_.close();
    for (const auto& each : links_)
        if (const Link link = each.lock()) link->close();
}

awaitable<void> JobDoor::join() {
    co_await door_.join();
    co_await tasks_.join();
}

void JobDoor::let_in(Link link) {
    std::erase_if(links_, [](const auto& each) { return each.expired(); });
    links_.push_back(link);
    tasks_.spawn(serve(std::move(link)));
}

awaitable<void> JobDoor::serve(Link link) {
    link->send(FrameType::hello, Hello{Hello::current_version, own_build_id()}.encode());
    link->send(FrameType::session_state, job_.state().encode());
    while (!link->closed()) {
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
