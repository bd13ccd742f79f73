// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "core/async/task_group.hpp"
#include "core/link/framed_link.hpp"
#include "core/wire/messages.hpp"

namespace launch {

/// A neighbour that a test plays itself, frame by frame.
struct Peer {
    Peer(const any_io_executor& executor, std::unique_ptr<ByteStream> stream)
        : link(std::make_shared<FramedLink>(executor, std::move(stream))) {}

    static std::shared_ptr<Peer> make(const any_io_executor& executor, TaskGroup& tasks,
                                      std::unique_ptr<ByteStream> stream) {
        auto peer = std::make_shared<Peer>(executor, std::move(stream));
        tasks.spawn(write_to_end(peer->link));
        tasks.spawn(listen(peer));
        return peer;
    }

    void greet(const std::string& build_id) {
        link->send_magic();
        link->send(FrameType::hello, Hello{Hello::current_version, build_id}.encode());
    }
    void send(FrameType type, std::string_view payload) { link->send(type, payload); }

    std::vector<std::string> all(FrameType type) const {
        std::vector<std::string> payloads;
        for (const Frame& frame : heard)
            if (frame.type == type) payloads.push_back(frame.payload);
        return payloads;
    }
    size_t count(FrameType type) const { return all(type).size(); }
    /// In the order in which they came, but for those that come whenever they like.
    std::vector<FrameType> types() const {
        std::vector<FrameType> types;
        for (const Frame& frame : heard)
            if (frame.type != FrameType::ping) types.push_back(frame.type);
        return types;
    }

    std::shared_ptr<FramedLink> link;
    std::vector<Frame> heard;
    bool ended = false;

  private:
    static awaitable<void> listen(std::shared_ptr<Peer> peer) {
        for (;;) {
            auto frame = co_await peer->link->receive();
            if (!frame || !frame->has_value()) break;
            peer->heard.push_back(std::move(**frame));
        }
        peer->ended = true;
        peer->link->close();
    }
};

}  // namespace launch
