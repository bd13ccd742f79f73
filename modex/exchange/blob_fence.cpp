// SPDX-License-Identifier: MIT
#include "modex/exchange/blob_fence.hpp"

#include <algorithm>
#include <utility>

namespace launch {
namespace {

std::pair<LoadDown, bool> no_loads() {
    return {BlobsDown{}, true};
}

}  // namespace

BlobFence::BlobFence(ExchangeState& state, ModexChoice asked, const Members& group)
    : TreeFence(state, group.empty() ? state.blob_fences : state.group_fences, group),
      asked_(asked),
      round_(state) {}

bool BlobFence::join_all(std::string blob, bool collect, const std::set<uint32_t>& left) {
    if (gate().closed() || std::exchange(joined_, true)) return false;
    const auto& local = state_.settings.local;
    const bool some = enter(left) || is_of_all();
    if (some && collect && !local.empty()) {
        coming_.add_bytes(blob.size());
        coming_.all.add(local.front(), std::move(blob));
    }
    coming_.sum.collect = coming_.sum.collect || collect;
    advance();
    return true;
}

bool BlobFence::take(std::vector<Piece>& pieces, std::optional<NodeIndex> from) {
    return std::all_of(pieces.begin(), pieces.end(), [&](Piece& piece) {
        return piece.of < state_.settings.ranks && (piece.whole() || !is_of_all()) &&
               coming_.all.take(std::move(piece), from);
    });
}

bool BlobFence::take(NodeIndex child, LoadUp load) {
    auto& up = std::get<BlobsUp>(load);
    if (!take(up.pieces, child)) return false;
    coming_.add_bytes(up.bytes);
    coming_.sum.collect = coming_.sum.collect || up.collect;
    coming_.sum.complete = coming_.sum.complete && up.complete;
    coming_.sum.peers += up.peers;
    coming_.sum.peers_lost = coming_.sum.peers_lost || up.peers_lost;
    return true;
}

/// The most bytes that are sent along with the fence.
uint64_t BlobFence::most_alone() const {
    return is_of_all() ? most_carried(asked_, state_.peers) : UINT64_MAX;
}

std::vector<LoadUp> BlobFence::loads_up() {
    BlobsUp up = coming_.sum;
    up.peers += state_.peers.usable() ? 1U : 0U;
    up.peers_lost = up.peers_lost || state_.peers.lost;
    up.complete = up.complete && up.bytes <= most_alone();
    if (up.complete && is_of_all()) up.pieces = coming_.all.all_but(std::nullopt);
    std::vector<LoadUp> loads;
    if (!is_of_all()) {
        Contributions::Position position;
        auto batch = coming_.all.next_batch(std::nullopt, position);
        while (!batch.empty()) {
            up.pieces = std::exchange(batch, coming_.all.next_batch(std::nullopt, position));
            if (batch.empty()) break;
            BlobsUp part;
            part.pieces = std::move(up.pieces);
            loads.emplace_back(std::move(part));
        }
    }
    loads.emplace_back(std::move(up));
    return loads;
}

/// Much is worth the time until links between peers can be had. They are asked for once a job.
bool BlobFence::waits_for_peers() {
    const Peers& peers = state_.peers;
    const bool cannot = peers.open() || peers.lost || coming_.sum.peers_lost;
    if (cannot || !state_.settings.heals || !worth_peers(asked_, coming_.sum.bytes)) return false;
    waited_ = true;
    if (!std::exchange(asked_for_peers_, true)) state_.sink.peers_wanted();
    return true;
}

/// Whether the contributions travel with the end; otherwise this orders a round for them.
bool BlobFence::may_end() {
    if (!is_of_all() || !coming_.sum.collect || state_.children.empty()) return true;
    if (waits_for_peers()) return false;
    const auto& local = state_.settings.local;
    const uint64_t own = local.empty() ? 0 : coming_.all.bytes_of(local.front());
    const bool by_peers = waited_ && state_.peers.usable();
    const bool all_here = !by_peers && coming_.sum.complete && own <= most_alone() &&
                          coming_.sum.bytes <= PieceBatch::limit;
    if (!all_here) begin_round(order());
    return all_here;
}

GatherOrder BlobFence::order() const {
    const Peers& peers = state_.peers;
    GatherOrder order{next_number(), 1, GatherWay::tree, peers.nodes, coming_.sum.bytes, false};
    order.peers_lost = peers.lost || coming_.sum.peers_lost;
    const bool all_have_peers = peers.usable() && (waited_ || coming_.sum.peers == peers.nodes - 1);
    if (all_have_peers && !order.peers_lost)
        order.way = choose_way(asked_, state_.settings.hypercube, order.bytes, order.nodes);
    return order;
}

bool BlobFence::take(uint64_t number, LoadDown load) {
    if (is_of_all() && number > last() + 1) coming_ = {};
    return take(std::get<BlobsDown>(load).pieces, std::nullopt);
}

void BlobFence::open(uint64_t number) {
    leave_last();
    round_.close(number);
    if (collects()) ended_ = std::make_shared<const Contributions>(std::move(coming_.all));
    coming_ = {};
}

TreeFence::LoadsDown BlobFence::loads_down(NodeIndex child) {
    return gate().has_members_below(child) ? loads_but(child) : LoadsDown(no_loads);
}

/// The contributions that came with the end, except the child's own.
TreeFence::LoadsDown BlobFence::loads_but(std::optional<NodeIndex> child) const {
    if (!ended_) return no_loads;
    if (is_of_all())
        return [all = ended_, child] {
            return std::pair<LoadDown, bool>(BlobsDown{all->all_but(child)}, true);
        };
    Contributions::Position position;
    auto first = ended_->next_batch(child, position);
    return [all = ended_, child, position, batch = std::move(first)]() mutable {
        BlobsDown part{std::exchange(batch, all->next_batch(child, position))};
        return std::pair<LoadDown, bool>(std::move(part), batch.empty());
    };
}

void BlobFence::done() {
    const auto all = ended_;
    if (!state_.settings.heals) ended_.reset();
    let_out(all ? all->joined() : std::string());
}

void BlobFence::let_out(std::string all) {
    const bool waited = std::exchange(joined_, false);
    if (is_of_all())
        state_.sink.fence_done(Channel::blobs, std::move(all));
    else if (gate().has_members_here() && (waited || !state_.settings.heals))
        state_.sink.group_done(group(), all);
}

/// Drops the last fence: when all ranks join the next one, every living rank has got its end.
void BlobFence::leave_last() {
    if (round_.waits()) let_out({});
    waited_ = false;
    ended_.reset();
}

void BlobFence::tell_again(NodeIndex child) {
    if (round_.is_of(last())) return round_.tell_again(child);
    tell_end(child, loads_but(std::nullopt));
}

void BlobFence::advance() {
    round_.advance();
    end_round();
    TreeFence::advance();
}

void BlobFence::new_parent() {
    round_.say_again();
    TreeFence::new_parent();
}

void BlobFence::lose_peers() {
    state_.peers.lost = true;
    round_.give_up_peers();
    end_round();
    if (waited_) advance();
}

bool BlobFence::ordered(const GatherOrder& message) {
    if (message.sequence > last()) {
        if (!follows(message.sequence)) return false;
        begin_round(message);
        return true;
    }
    if (round_.is_of(message.sequence)) round_.ordered(message);
    return in_round(true);
}

void BlobFence::begin_round(const GatherOrder& order) {
    leave_last();
    pass(order.sequence);
    const auto& local = state_.settings.local;
    std::string own = local.empty() ? std::string() : coming_.all.extract(local.front());
    coming_ = {};
    round_.open(order, std::move(own));
    end_round();
}

bool BlobFence::from_peer(uint32_t number, PeerPieces message) {
    const Peers& peers = state_.peers;
    if (number >= peers.nodes || number == peers.self) return false;
    if (message.sequence > last()) {
        // Here and below all have joined, or all have exited and this node has said nothing.
        const bool joined = gate().closed() || gate().awaits_nobody();
        const bool next = message.sequence == last() + 1 && message.attempt == 1;
        if (!next || !joined || state_.settings.root) return false;
        round_.keep_early(number, std::move(message));
        return true;
    }
    return in_round(round_.from_peer(number, message));
}

/// Ends the round if the message that was taken was the last one.
bool BlobFence::in_round(bool taken) {
    if (taken) end_round();
    return taken;
}

void BlobFence::end_round() {
    auto all = round_.take_result();
    if (!all) return;
    let_out(*std::move(all));
    advance();
}

}  // namespace launch
