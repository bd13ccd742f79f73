// SPDX-License-Identifier: MIT
#include "modex/exchange/gather_round.hpp"

#include <algorithm>
#include <utility>

namespace launch {

std::optional<uint32_t> GatherRound::contributor() const {
    const auto& local = state_.settings.local;
    return local.empty() ? std::nullopt : std::optional(local.front());
}

void GatherRound::open(const GatherOrder& order, std::string own) {
    own_ = std::move(own);
    waits_ = true;
    const std::vector<Early> early = std::exchange(early_, {});
    const bool too_early = std::exchange(early_bytes_, 0) > max_cards_bytes;
    begin(order);
    if (!engine_) return;
    if (too_early) return give_up_peers();
    for (const Early& each : early) {
        const PeerPieces& message = each.message;
        if (!engine_->take(each.number, message.step, message.pieces)) return give_up_peers();
    }
    carry();
}

void GatherRound::close(uint64_t sequence) {
    order_ = {};
    order_.sequence = sequence;
    own_ = {};
    engine_.reset();
    tree_.reset();
    waits_ = false;
    result_.reset();
    early_.clear();
    early_bytes_ = 0;
}

void GatherRound::begin(const GatherOrder& order) {
    order_ = order;
    state_.peers.lost = state_.peers.lost || order.peers_lost;
    engine_.reset();
    tree_.reset();
    done_below_.clear();
    report_ = Report::none;
    carried_ = false;
    for (const auto& [index, child] : state_.children)
        state_.sink.to_child(index, encode(order_));
    if (order.way == GatherWay::tree) {
        tree_.emplace(state_, order_, contributor(), own_);
        advance();
    } else {
        begin_among_peers();
    }
}

void GatherRound::begin_among_peers() {
    const Peers& peers = state_.peers;
    // Lost since this node has said that it has them.
    if (!peers.usable() || order_.nodes != peers.nodes) return give_up_peers();
    engine_.emplace(AllGatherSchedule(order_.way, peers.self, peers.nodes), peers.self, peers.nodes,
                    own_, most_bytes_of(order_));
    carry();
}

bool GatherRound::ordered(const GatherOrder& order) {
    if (age_of(order.sequence, order.attempt) == Age::unknown) begin(order);
    return true;
}

GatherRound::Age GatherRound::age_of(uint64_t sequence, uint32_t attempt) const {
    if (sequence != order_.sequence) return sequence < order_.sequence ? Age::over : Age::unknown;
    if (attempt != order_.attempt) return attempt < order_.attempt ? Age::over : Age::unknown;
    return Age::current;
}

void GatherRound::keep_early(uint32_t number, PeerPieces message) {
    early_bytes_ += sizeof(Early) + message.pieces.size() * sizeof(Piece);
    for (const Piece& piece : message.pieces)
        early_bytes_ += piece.bytes.size();
    // The order must be very late: then let the tree do it.
    if (early_bytes_ > max_cards_bytes) {
        early_.clear();
    } else {
        early_.push_back({number, std::move(message)});
    }
}

bool GatherRound::from_peer(uint32_t number, const PeerPieces& message) {
    const Age age = age_of(message.sequence, message.attempt);
    if (age != Age::current) return age == Age::over;
    if (!engine_) return report_ == Report::failed;
    if (!engine_->take(number, message.step, message.pieces)) return false;
    carry();
    return true;
}

/// Sends what may go by now.
void GatherRound::carry() {
    while (auto message = engine_->next()) {
        PeerPieces pieces{order_.sequence, order_.attempt, message->step,
                          std::move(message->pieces)};
        state_.sink.to_peer(message->peer, encode(pieces));
    }
    if (!engine_->done()) return;
    carried_ = true;
    through(engine_->take_contributions());
    engine_.reset();
    advance();
}

void GatherRound::through(std::string all) {
    if (std::exchange(waits_, false)) result_ = std::move(all);
}

void GatherRound::advance() {
    if (tree_) {
        tree_->advance();
        if (!tree_->over()) return;
        if (waits_) through(tree_->joined());
        if (!state_.settings.heals) tree_->forget();
        return;
    }
    if (!carried_ || report_ != Report::none) return;
    if (state_.all_children_in(done_below_)) report(Report::done);
}

void GatherRound::report(Report report) {
    report_ = report;
    const bool done = report == Report::done;
    if (!state_.settings.root) {
        state_.sink.to_parent(encode(GatherReport{order_.sequence, order_.attempt, done}));
    } else if (!done) {
        GatherOrder next = order_;
        ++next.attempt;
        next.way = GatherWay::tree;
        next.peers_lost = true;
        begin(next);
    }
}

void GatherRound::give_up_peers() {
    const bool among_peers = order_.attempt > 0 && order_.way != GatherWay::tree;
    if (!among_peers || report_ == Report::failed) return;
    if (state_.settings.root && report_ == Report::done) return;
    engine_.reset();
    report(Report::failed);
}

bool GatherRound::from_child(NodeIndex child, const GatherReport& message) {
    const Age age = age_of(message.sequence, message.attempt);
    if (age != Age::current) return age == Age::over;
    if (order_.way == GatherWay::tree) return false;
    if (message.done) {
        done_below_.insert(child);
        advance();
    } else {
        give_up_peers();
    }
    return true;
}

bool GatherRound::from_child(NodeIndex child, GatherPieces message) {
    const Age age = age_of(message.sequence, message.attempt);
    if (age != Age::current) return age == Age::over;
    if (!tree_ || !tree_->from_child(child, std::move(message))) return false;
    advance();
    return true;
}

bool GatherRound::from_parent(GatherPieces message) {
    const Age age = age_of(message.sequence, message.attempt);
    if (age != Age::current) return age == Age::over;
    if (!tree_ || !tree_->from_parent(std::move(message))) return false;
    advance();
    return true;
}

void GatherRound::say_again() {
    if (tree_) return tree_->say_again();
    if (order_.attempt > 0 && report_ != Report::none) report(report_);
}

void GatherRound::tell_again(NodeIndex child) const {
    if (order_.attempt == 0) return;
    state_.sink.to_child(child, encode(order_));
    if (tree_) tree_->tell_again(child);
}

}  // namespace launch
