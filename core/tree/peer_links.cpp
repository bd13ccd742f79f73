// SPDX-License-Identifier: MIT
#include "core/tree/peer_links.hpp"

namespace launch {

PeerLinks::PeerLinks(any_io_executor executor, DirectLinks& links, const RouteTable& table,
                     Settings settings)
    : executor_(executor),
      links_(links),
      table_(table),
      settings_(std::move(settings)),
      tasks_(executor) {}

void PeerLinks::send(RoutePosition at, std::string message) {
    const auto [entry, first] = peers_.try_emplace(at);
    Peer& peer = entry->second;
    if (peer.lost) return;
    if (peer.link) {
        peer.link->send_granted(FrameType::peer, message);
        return;
    }
    peer.waiting.push_back(std::move(message));
    if (first) tasks_.spawn(reach(at));
}

awaitable<void> PeerLinks::reach(RoutePosition at) {
    // The caller must not get the report of a loss while it is still speaking.
    co_await asio::post(executor_, asio::use_awaitable);
    const Contact contact = table_.stop(at).contact;
    if (!contact.usable()) {
        lose(at);
        co_return;
    }
    const auto limit = settings_.connect_timeout;
    auto stream = co_await links_.dial(contact, LinkPurpose::peer, limit, stop_.get_token());
    if (!stream) {
        lose(at);
        co_return;
    }
    if (stop_.stop_requested())
        (*stream)->close();
    else
        use(at, open(at, std::move(*stream)));
}

PeerLinks::Link PeerLinks::open(RoutePosition at, std::unique_ptr<ByteStream> stream) {
    auto link = std::make_shared<FramedLink>(executor_, std::move(stream));
    link->send_magic();
    open_.push_back(link);
    tasks_.spawn(write_to_end(link));
    tasks_.spawn(listen(at, link));
    return link;
}

/// For what is to be said there.
void PeerLinks::use(RoutePosition at, Link link) {
    Peer& peer = peers_[at];
    for (auto& message : std::exchange(peer.waiting, {}))
        link->send_granted(FrameType::peer, message);
    peer.link = std::move(link);
}

bool PeerLinks::wants(NodeIndex from) const {
    const auto at = table_.position_of(from);
    if (!at || stop_.stop_requested() || incoming_.count(*at) > 0) return false;
    const auto peer = peers_.find(*at);
    return peer == peers_.end() || !peer->second.lost;
}

/// Messages to that node go by the same link, unless this node has just made a link of its own.
void PeerLinks::take(NodeIndex from, std::unique_ptr<ByteStream> stream) {
    const RoutePosition at = *table_.position_of(from);
    incoming_.insert(at);
    const bool known = peers_.count(at) > 0;
    auto link = open(at, std::move(stream));
    if (!known) use(at, std::move(link));
}

awaitable<void> PeerLinks::listen(RoutePosition at, Link link) {
    for (;;) {
        auto frame = co_await link->receive();
        if (!frame || !frame->has_value() || stop_.stop_requested()) break;
        const bool taken =
            (*frame)->type == FrameType::peer && settings_.received(at, (*frame)->payload);
        if (!taken) break;
    }
    link->close();
    lose(at);
}

void PeerLinks::lose(RoutePosition at) {
    Peer& peer = peers_[at];
    if (stop_.stop_requested() || std::exchange(peer.lost, true)) return;
    if (peer.link) peer.link->close();
    peer.waiting.clear();
    settings_.lost(at);
}

LinkCounts PeerLinks::counts() const {
    LinkCounts counts;
    for (const Link& link : open_)
        counts += link->counts();
    return counts;
}

void PeerLinks::close() {
    stop_.request_stop();
    for (const Link& link : open_)
        link->close();
}

awaitable<void> PeerLinks::join() {
    co_await tasks_.join();
}

}  // namespace launch
