// SPDX-License-Identifier: MIT
// Helpers that the tests of healing share.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/build_id.hpp"
#include "tests/unit/core/harness/peer.hpp"
#include "tests/unit/core/harness/world.hpp"

namespace launch {

inline std::string numbered(const char* what, int number) {
    return std::string(what) + " " + std::to_string(number);
}

inline std::vector<std::string> all_numbered(const char* what, int count) {
    std::vector<std::string> all;
    for (int i = 0; i < count; ++i)
        all.push_back(numbered(what, i));
    return all;
}

inline std::string lines(const std::vector<std::string>& all) {
    std::string text;
    for (const std::string& line : all)
        text += line + "\n";
    return text;
}

/// Sends one message of each kind from a node to the head, from its parent to it, and from it to
/// its parent.
inline void say(World& world, NodeIndex node, NodeIndex parent, int number) {
    ModexHost& host = world.part(node)->host;
    host.modex_notice(numbered("report", number));
    host.modex_trace(rank_of(node), numbered("line", number));
    host.modex_up(numbered("up", number));
    world.part(parent)->host.modex_down(node, numbered("down", number));
}

/// Lets a test play the relay of that node: `peer` is set when the transport starts it.
inline void play_relay(World& world, NodeIndex node, std::shared_ptr<Peer>& peer) {
    world.network.played[node] = [&world, &peer](Network::Stream stream) {
        peer = Peer::make(world.network.executor, world.network.tasks, std::move(stream));
        peer->greet(own_build_id());
    };
}

}  // namespace launch
