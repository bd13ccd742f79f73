// SPDX-License-Identifier: MIT
#include "tests/helpers/pmix/hub.hpp"

#include <algorithm>
#include <poll.h>
#include <sstream>
#include <sys/socket.h>
#include <unistd.h>

bool send_message(int fd, const Message& message) {
    std::ostringstream text;
    text << message.kind << ' ' << message.id << ' ' << message.number << ' ' << message.key << '\n'
         << message.data;
    const std::string packet = text.str();
    return send(fd, packet.data(), packet.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(packet.size());
}

bool receive_message(int fd, Message& message) {
    std::string packet(1 << 20, '\0');
    const ssize_t n = recv(fd, packet.data(), packet.size(), 0);
    if (n <= 0) return false;
    packet.resize(static_cast<size_t>(n));
    const size_t end = packet.find('\n');
    std::istringstream head(packet.substr(0, end));
    head >> message.kind >> message.id >> message.number;
    head.get();
    message.key.clear();
    std::getline(head, message.key);
    message.data = packet.substr(end + 1);
    return true;
}

void Hub::run() {
    while (ended_ < nodes_.size()) {
        std::vector<pollfd> polls;
        for (const int fd : nodes_)
            polls.push_back({.fd = fd, .events = POLLIN});
        poll(polls.data(), polls.size(), -1);
        for (size_t i = 0; i < polls.size(); ++i) {
            if (polls[i].revents == 0) continue;
            Message message;
            if (receive_message(nodes_[i], message)) {
                handle(nodes_[i], message);
            } else {
                close(nodes_[i]);
                nodes_[i] = -1;
                ++ended_;
            }
        }
    }
    for (const int fd : nodes_)
        if (fd >= 0) close(fd);
}

void Hub::handle(int fd, const Message& message) {
    switch (message.kind) {
        case Message::fence: return join_fence(fd, message);
        case Message::fetch: return pass_fetch(fd, message);
        case Message::fetched: {
            answer(fetches_[message.id], message.number != 0, message.data);
            fetches_.erase(message.id);
            return;
        }
        case Message::ended: ++ended_; return;
        case Message::event: return tell_others(fd, message);
        case Message::died:
        case Message::abort_job:
            for (const int node : nodes_)
                if (node >= 0) send_message(node, message);
            return;
        default: return use_names(fd, message);
    }
}

void Hub::join_fence(int fd, const Message& message) {
    Fence& fence = fences_[message.key];
    fence.who.push_back({fd, message.id});
    fence.data += message.data;
    if (fence.who.size() < message.number) return;
    const Fence done = std::move(fence);
    fences_.erase(message.key);  // the next of the group begins with the first answer
    for (const auto& asked : done.who)
        answer(asked, true, done.data);
}

void Hub::pass_fetch(int fd, const Message& message) {
    const size_t owner = message.number / per_node_;
    Message question = message;
    question.id = next_fetch_++;
    fetches_[question.id] = {fd, message.id};
    if (owner < nodes_.size() && nodes_[owner] >= 0 && send_message(nodes_[owner], question))
        return;
    answer(fetches_[question.id], false, "");
    fetches_.erase(question.id);
}

void Hub::answer(const Asked& asked, bool found, const std::string& data) {
    send_message(asked.fd,
                 {.kind = Message::reply, .id = asked.id, .number = found ? 1u : 0u, .data = data});
}

void Hub::tell_others(int fd, const Message& message) {
    for (const int node : nodes_)
        if (node >= 0 && node != fd) send_message(node, message);
}

void Hub::use_names(int fd, const Message& message) {
    const Asked asked{fd, message.id};
    const auto known = names_.find(message.key);
    const bool found = known != names_.end();
    if (message.kind == Message::lookup) return answer(asked, found, found ? known->second : "");
    if (message.kind == Message::publish) {
        answer(asked, !found, "");
        names_.emplace(message.key, message.data);
        return;
    }
    answer(asked, found, "");
    names_.erase(message.key);
}
