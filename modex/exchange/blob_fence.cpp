#include "modex/exchange/blob_fence.hpp"

#include <algorithm>
#include <utility>

namespace launch {

BlobFence::BlobFence(ExchangeState& state, ModexChoice asked)
    : state_(state), asked_(asked), gate_(state), round_(state) {}

uint64_t BlobFence::Coming::bytes() const {
    return all.bytes() + std::min(withheld, UINT64_MAX - all.bytes());
}

bool BlobFence::join_all(std::string blob, bool collect, const std::set<uint32_t>& left) {
    if (gate_.closed() || std::exchange(joined_, true)) return false;
    gate_.join_all(left);
    const auto& local = state_.settings.local;
    if (collect && !local.empty()) coming_.all.add(local.front(), std::move(blob));
    coming_.collect = coming_.collect || collect;
    advance();
    return true;
}

void BlobFence::exited(uint32_t rank) {
    gate_.exited(rank);
    advance();
}

bool BlobFence::from_child(NodeIndex child, FenceUp message) {
    const auto entry = gate_.admit(child, message, sequence_);
    if (entry != FenceGate::Entry::joined) return entry == FenceGate::Entry::known;
    for (Piece& piece : message.pieces) {
        const bool fits = piece.of < state_.settings.ranks && piece.whole();
        if (!fits || !coming_.all.take(std::move(piece), child)) return false;
    }
    coming_.collect = coming_.collect || message.collect;
    coming_.complete = coming_.complete && message.complete;
    if (!message.complete)
        coming_.withheld += std::min(message.bytes, UINT64_MAX - coming_.withheld);
    coming_.peers += message.peers;
    coming_.peers_lost = coming_.peers_lost || message.peers_lost;
    advance();
    return true;
}

bool BlobFence::from_child(NodeIndex child, const GatherReport& message) {
    return in_round(round_.from_child(child, message));
}

bool BlobFence::from_child(NodeIndex child, GatherPieces message) {
    return in_round(round_.from_child(child, std::move(message)));
}

bool BlobFence::from_parent(GatherPieces message) {
    return in_round(round_.from_parent(std::move(message)));
}

/// What has been taken may have been the last.
bool BlobFence::in_round(bool taken) {
    if (taken) end_round();
    return taken;
}

bool BlobFence::from_peer(uint32_t number, PeerPieces message) {
    const Peers& peers = state_.peers;
    if (number >= peers.nodes || number == peers.self) return false;
    if (message.sequence > sequence_) {
        // Here and below all have joined, or all have exited and this node has said nothing.
        const bool joined = gate_.closed() || gate_.awaits_nobody();
        const bool next = message.sequence == sequence_ + 1 && message.attempt == 1;
        if (!next || !joined || state_.settings.root) return false;
        round_.keep_early(number, std::move(message));
        return true;
    }
    return in_round(round_.from_peer(number, message));
}

void BlobFence::lose_peers() {
    state_.peers.lost = true;
    round_.give_up_peers();
    end_round();
    if (waited_) advance();
}

void BlobFence::split_child(NodeIndex whole, NodeIndex part) {
    gate_.split_child(whole, part);
    if (round_.is_of(sequence_)) return round_.tell_again(part);
    if (sequence_ == 0) return;
    FenceDown down;
    down.channel = Channel::blobs;
    down.sequence = sequence_;
    down.pieces = last_.all_but(std::nullopt);
    state_.sink.to_child(part, encode(down));
}

void BlobFence::new_parent() {
    round_.say_again();
    if (gate_.closed()) pass_up();
}

void BlobFence::advance() {
    round_.advance();
    end_round();
    const auto end = gate_.advance();
    if (end == FenceGate::End::up) pass_up();
    if (end == FenceGate::End::open) decide();
}

void BlobFence::pass_up() {
    FenceUp up = gate_.message(Channel::blobs, sequence_ + 1);
    up.collect = coming_.collect;
    up.peers = coming_.peers + (state_.peers.usable() ? 1 : 0);
    up.peers_lost = coming_.peers_lost || state_.peers.lost;
    if (coming_.collect) {
        up.bytes = coming_.bytes();
        up.complete = coming_.complete && up.bytes <= most_carried(asked_, state_.peers);
        if (up.complete) up.pieces = coming_.all.all_but(std::nullopt);
    }
    state_.sink.to_parent(encode(up));
}

/// Much is worth the time until links between peers can be had. They are asked for once a job.
bool BlobFence::waits_for_peers() {
    const Peers& peers = state_.peers;
    const bool cannot = peers.open() || peers.lost || coming_.peers_lost;
    if (cannot || !state_.settings.heals || !coming_.collect) return false;
    if (state_.children.empty() || !worth_peers(asked_, coming_.bytes())) return false;
    waited_ = true;
    if (!std::exchange(asked_for_peers_, true)) state_.sink.peers_wanted();
    return true;
}

/// At the root. What it contributes itself has not come along.
void BlobFence::decide() {
    if (waits_for_peers()) return;
    const auto& local = state_.settings.local;
    const uint64_t own = local.empty() ? 0 : coming_.all.bytes_of(local.front());
    const bool by_peers = waited_ && state_.peers.usable();
    const bool all_here = !by_peers && coming_.complete &&
                          own <= most_carried(asked_, state_.peers) &&
                          coming_.bytes() <= PieceBatch::limit;
    if (!coming_.collect || all_here || state_.children.empty()) {
        start_next(sequence_ + 1);
        open();
    } else {
        begin_round(order());
    }
}

GatherOrder BlobFence::order() const {
    const Peers& peers = state_.peers;
    GatherOrder order{sequence_ + 1, 1, GatherWay::tree, peers.nodes, coming_.bytes(), false};
    order.peers_lost = peers.lost || coming_.peers_lost;
    const bool all_have_peers = peers.usable() && (waited_ || coming_.peers == peers.nodes - 1);
    if (all_have_peers && !order.peers_lost)
        order.way = choose_way(asked_, state_.settings.hypercube, order.bytes, order.nodes);
    return order;
}

bool BlobFence::from_parent(FenceDown message) {
    if (!gate_.follows(message.sequence, sequence_)) return false;
    if (message.sequence <= sequence_) return true;
    if (message.sequence > sequence_ + 1) coming_ = {};
    for (Piece& piece : message.pieces) {
        const bool fits = piece.of < state_.settings.ranks && piece.whole();
        if (!fits || !coming_.all.take(std::move(piece), std::nullopt)) return false;
    }
    start_next(message.sequence);
    open();
    return true;
}

bool BlobFence::from_parent(const GatherOrder& message) {
    if (message.sequence > sequence_) {
        if (!gate_.follows(message.sequence, sequence_)) return false;
        begin_round(message);
        return true;
    }
    if (round_.is_of(message.sequence)) round_.ordered(message);
    return in_round(true);
}

/// The fence is joined by all: of the one before everybody is told whose ranks live.
void BlobFence::start_next(uint64_t sequence) {
    if (round_.waits()) {
        joined_ = false;
        state_.sink.fence_done(Channel::blobs, {});
    }
    sequence_ = sequence;
    waited_ = false;
    last_ = {};
    gate_.reset();
}

/// It has ended, and what was contributed is here.
void BlobFence::open() {
    round_.close(sequence_);
    Coming ended = std::exchange(coming_, {});
    FenceDown down;
    down.channel = Channel::blobs;
    down.sequence = sequence_;
    for (const auto& [index, child] : state_.children) {
        if (ended.collect) down.pieces = ended.all.all_but(index);
        state_.sink.to_child(index, encode(down));
    }
    joined_ = false;
    state_.sink.fence_done(Channel::blobs, ended.collect ? ended.all.joined() : std::string());
    if (state_.settings.heals && ended.collect) last_ = std::move(ended.all);
}

void BlobFence::begin_round(const GatherOrder& order) {
    start_next(order.sequence);
    const auto& local = state_.settings.local;
    std::string own = local.empty() ? std::string() : coming_.all.extract(local.front());
    coming_ = {};
    round_.open(order, std::move(own));
    end_round();
}

void BlobFence::end_round() {
    auto all = round_.take_result();
    if (!all) return;
    joined_ = false;
    state_.sink.fence_done(Channel::blobs, *std::move(all));
    advance();
}

}  // namespace launch
