#include "core/tree/peer_links.hpp"

namespace launch {

PeerLinks::PeerLinks(any_io_executor executor, DirectLinks& links, const RouteTable& table,
                     Settings settings)
    : executor_(executor),
      links_(links),
      table_(table),
      settings_(std::move(settings)),
      tasks_(executor) {}

void PeerLinks::send(uint32_t place, std::string message) {
    const auto [at, first] = peers_.try_emplace(place);
    Peer& peer = at->second;
    if (peer.lost) return;
    if (peer.link) {
        peer.link->send_granted(FrameType::peer, message);
        return;
    }
    peer.waiting.push_back(std::move(message));
    if (first) tasks_.spawn(reach(place));
}

awaitable<void> PeerLinks::reach(uint32_t place) {
    // Who wants it is not told of a loss while it speaks.
    co_await asio::post(executor_, asio::use_awaitable);
    const Contact contact = table_.stop(place).contact;
    if (!contact.usable()) {
        lose(place);
        co_return;
    }
    const auto limit = settings_.connect_timeout;
    auto stream = co_await links_.dial(contact, LinkPurpose::peer, limit, stop_.get_token());
    if (!stream) {
        lose(place);
        co_return;
    }
    if (stop_.stop_requested())
        (*stream)->close();
    else
        use(place, open(place, std::move(*stream)));
}

PeerLinks::Link PeerLinks::open(uint32_t place, std::unique_ptr<ByteStream> stream) {
    auto link = std::make_shared<FramedLink>(executor_, std::move(stream));
    link->send_magic();
    open_.push_back(link);
    tasks_.spawn(write_to_end(link));
    tasks_.spawn(listen(place, link));
    return link;
}

/// For what is to be said there.
void PeerLinks::use(uint32_t place, Link link) {
    Peer& peer = peers_[place];
    for (auto& message : std::exchange(peer.waiting, {}))
        link->send_granted(FrameType::peer, message);
    peer.link = std::move(link);
}

bool PeerLinks::wants(NodeIndex from) const {
    const auto place = table_.place_of(from);
    if (!place || stop_.stop_requested() || incoming_.count(*place) > 0) return false;
    const auto peer = peers_.find(*place);
    return peer == peers_.end() || !peer->second.lost;
}

/// What is to be said there goes by the same link, unless this node has just made one of its own.
void PeerLinks::take(NodeIndex from, std::unique_ptr<ByteStream> stream) {
    const uint32_t place = *table_.place_of(from);
    incoming_.insert(place);
    const bool known = peers_.count(place) > 0;
    auto link = open(place, std::move(stream));
    if (!known) use(place, std::move(link));
}

awaitable<void> PeerLinks::listen(uint32_t place, Link link) {
    for (;;) {
        auto frame = co_await link->receive();
        if (!frame || !frame->has_value() || stop_.stop_requested()) break;
        const bool taken =
            (*frame)->type == FrameType::peer && settings_.received(place, (*frame)->payload);
        if (!taken) break;
    }
    link->close();
    lose(place);
}

void PeerLinks::lose(uint32_t place) {
    Peer& peer = peers_[place];
    if (stop_.stop_requested() || std::exchange(peer.lost, true)) return;
    if (peer.link) peer.link->close();
    peer.waiting.clear();
    settings_.lost(place);
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
