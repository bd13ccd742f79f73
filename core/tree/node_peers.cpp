// SPDX-License-Identifier: MIT
// Links of a node to others that are no neighbours in the tree.

#include "core/link/patience.hpp"
#include "core/tree/node.hpp"

namespace launch {
/// Asks for all contacts, at the root. A job that starts with a routing tree has them already.
awaitable<void> Node::ask_for_contacts() {
    co_await asio::post(executor_, asio::use_awaitable);  // not while the server speaks
    if (links_ && !routing_) broadcast(FrameType::want_contacts, 0);
    const auto deadline = Clock::now() + patience::contacts;
    const auto comes = [this] { return routing_ && !peers_ && !has_routes() && !is_ending(); };
    while (comes() && Clock::now() < deadline)
        co_await changed_.wait_until(deadline);
    if (!peers_ && !is_ending()) context_.user->no_peers();
}

/// All contacts are known here, and ranks are placed: on each host of the table, or those without
/// would not hear of what goes on.
void Node::open_peers() {
    const NodeIndex used = context_.user->nodes();
    // Links that are opened after the others were closed would stay.
    if (peers_ || !has_routes() || used == 0 || is_ending()) return;
    const RouteTable& table = *routing_->table;
    if (table.size() != used + 1) return;
    PeerLinks::Settings settings;
    settings.connect_timeout = settings_.tree.policies.connect_timeout;
    settings.received = [this](RoutePosition at, std::string_view message) {
        return context_.user->from_peer(at, message);
    };
    settings.lost = [this](RoutePosition at) { context_.user->peer_lost(at); };
    peers_ = std::make_unique<PeerLinks>(executor_, *links_, table, std::move(settings));
    context_.user->peers_open(table.own_position(), table.size());
    for (auto& [from, stream] : std::exchange(early_peers_, {}))
        peer_connected(from, std::move(stream));
    changed_.notify();
}

/// Another node may know all contacts before this one does.
void Node::peer_connected(NodeIndex from, std::unique_ptr<ByteStream> stream) {
    if (!peers_) {
        early_peers_.emplace(from, std::move(stream));
    } else if (peers_->wants(from)) {
        peers_->take(from, std::move(stream));
    } else {
        stream->close();
    }
}

}  // namespace launch
