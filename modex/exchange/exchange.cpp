// SPDX-License-Identifier: MIT
#include "modex/exchange/exchange.hpp"

namespace launch {
namespace {

template <class... F>
struct Overloaded : F... {
    using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

/// Whether a node without ranks on its side may send this message.
bool is_of_no_rank(const ExchangeMessage& message) {
    return std::holds_alternative<GatherReport>(message) ||
           std::holds_alternative<GatherPieces>(message) ||
           std::holds_alternative<GroupsOver>(message) ||
           std::holds_alternative<NameAsk>(message) || std::holds_alternative<MessagePart>(message);
}

}  // namespace

Exchange::Exchange(ExchangeSettings settings, ModexChoice algorithm, ExchangeSink& sink)
    : state_(std::move(settings), sink),
      cards_(state_, algorithm),
      blobs_(state_, algorithm),
      groups_(state_),
      events_(state_),
      deaths_(state_),
      bulk_(state_),
      lookup_(state_, bulk_),
      names_(state_, deaths_) {}

void Exchange::add_child(NodeIndex child, const NodeRuns& ranks) {
    // A subtree without ranks sends and receives nothing.
    const RanksBelow below = state_.route(child, ranks);
    if (below.ranks > 0) static_cast<RanksBelow&>(state_.children[child]) = below;
}

void Exchange::remove_child(NodeIndex child) {
    state_.routes.remove(child);
    state_.children.erase(child);
    partial_.erase(child);
    leave_child(child);
}

/// Others may know what it was asked, and fewer are waited for.
void Exchange::leave_child(NodeIndex child) {
    for (TreePart* const part : parts_)
        part->nodes_left(child);
    advance();
}

void Exchange::advance() {
    for (TreePart* const part : parts_)
        part->advance();
}

void Exchange::lose_peers() {
    for (TreePart* const part : parts_)
        part->lose_peers();
}

/// Only `others` remain of the child's subtree. Null: there is no such child.
Neighbour* Exchange::narrow(NodeIndex child, const NodeRuns& others) {
    lose_peers();
    const auto at = state_.children.find(child);
    if (at == state_.children.end()) return nullptr;
    static_cast<RanksBelow&>(at->second) = state_.route(child, others);
    at->second.disturbed = true;
    return &at->second;
}

void Exchange::split_child(NodeIndex whole, NodeIndex part, const NodeRuns& ranks,
                           const NodeRuns& others) {
    const Neighbour* const rest = narrow(whole, others);
    if (rest == nullptr) return;
    Neighbour child{state_.route(part, ranks)};
    if (child.ranks == 0) return;
    child.all = rest->all;
    child.groups_over = rest->groups_over;
    child.disturbed = true;
    state_.children[part] = std::move(child);
    for (TreePart* const each : parts_)
        each->split_child(whole, part);
    leave_child(whole);
}

void Exchange::release_child(NodeIndex whole, const NodeRuns&, const NodeRuns& others) {
    const Neighbour* const rest = narrow(whole, others);
    if (rest == nullptr) return;
    if (rest->ranks == 0) return lose_child(whole, {});
    leave_child(whole);
}

void Exchange::widen_child(NodeIndex child, const NodeRuns& ranks) {
    lose_peers();
    const RanksBelow below = state_.route(child, ranks);
    if (below.ranks == 0) return remove_child(child);
    const bool returns = !state_.children.contains(child);
    Neighbour& widened = state_.children[child];
    widened.all = widened.all && below.ranks <= widened.ranks;
    widened.disturbed = true;
    static_cast<RanksBelow&>(widened) = below;
    if (returns)
        for (TreePart* const part : parts_)
            part->return_child(child);
    advance();
}

void Exchange::lose_child(NodeIndex child, const std::vector<uint32_t>& ranks) {
    lose_peers();
    for (const uint32_t rank : ranks)
        lost_below(rank);
    for (TreePart* const part : parts_)
        part->lose_child(child);
    remove_child(child);
}

void Exchange::new_parent() {
    state_.parent.has.clear();
    partial_.erase(std::nullopt);
    state_.parent.asked = false;
    state_.parent.wants = false;
    for (TreePart* const part : parts_)
        part->new_parent();
    lose_peers();
}

void Exchange::open_peers(uint32_t self, uint32_t count) {
    state_.peers.self = self;
    state_.peers.nodes = count;
    blobs_.advance();
}

bool Exchange::from_peer(uint32_t number, std::string_view payload) {
    auto message = decode_exchange(payload);
    auto* const pieces = message ? std::get_if<PeerPieces>(&*message) : nullptr;
    return pieces != nullptr && blobs_.from_peer(number, std::move(*pieces));
}

void Exchange::exited(uint32_t rank) {
    state_.note_gone(rank);
    cards_.exited(rank);
    blobs_.exited(rank);
    groups_.exited(rank);
    names_.exited(rank);
}

/// A rank has exited; it is now below this child. The report may have come from another child that
/// had the rank before.
void Exchange::exited_below(uint32_t rank) {
    if (!state_.note_gone(rank)) return;
    groups_.exited(rank);
    names_.exited(rank);
    const auto child = state_.routes.child_of(rank);
    const auto at = child ? state_.children.find(*child) : state_.children.end();
    if (at == state_.children.end()) return;
    at->second.lose(rank);
    // It may be the last that the child had not spoken for.
    const bool counts = cards_.has_spoken(*child) || blobs_.has_spoken(*child);
    if (counts || at->second.all_gone()) advance();
}

/// The root learns of all lost ranks in another way: no node has to report them as deaths.
void Exchange::lost_below(uint32_t rank) {
    if (state_.settings.root && !state_.is_gone(rank)) deaths_.died(rank);
    exited_below(rank);
}

bool Exchange::from_parent(std::string_view payload) {
    auto message = decode_exchange(payload);
    return message && !state_.settings.root && said_by_parent(std::move(*message));
}

bool Exchange::from_child(NodeIndex child, std::string_view payload) {
    auto message = decode_exchange(payload);
    if (!message) return false;
    if (state_.children.count(child) > 0) return said_by_child(child, std::move(*message));
    // It has lost all its ranks to other nodes, and not heard of it.
    return state_.settings.heals && is_of_no_rank(*message);
}

bool Exchange::fence_up(NodeIndex child, FenceUp message) {
    const bool of_all = message.members.empty();
    if (std::holds_alternative<CardsUp>(message.load))
        return of_all && cards_.from_child(child, std::move(message));
    if (of_all) return blobs_.from_child(child, std::move(message));
    return groups_.from_child(child, std::move(message));
}

bool Exchange::fence_down(FenceDown message) {
    const bool of_all = message.members.empty();
    if (std::holds_alternative<CardsDown>(message.load))
        return of_all && cards_.from_parent(std::move(message));
    if (of_all) return blobs_.from_parent(std::move(message));
    return groups_.from_parent(std::move(message));
}

bool Exchange::said_by_child(NodeIndex child, ExchangeMessage message) {
    return std::visit(
        Overloaded{
            [&](FenceUp& m) { return fence_up(child, std::move(m)); },
            [&](NameAsk& m) {
                names_.from_child(child, std::move(m));
                return true;
            },
            [&](const GroupsOver& m) {
                groups_.over_at(child, m);
                return true;
            },
            [&](const WatchDeaths&) {
                deaths_.watched_by(child);
                return true;
            },
            [&](const Deaths& m) {
                deaths_.from_child(m);
                return true;
            },
            [&](const GatherReport& m) { return blobs_.round_from_child(child, m); },
            [&](GatherPieces& m) { return blobs_.round_from_child(child, std::move(m)); },
            [&](const auto&) { return said_either_way(child, message); },
        },
        message);
}

bool Exchange::said_by_parent(ExchangeMessage message) {
    return std::visit(Overloaded{
                          [&](FenceDown& m) { return fence_down(std::move(m)); },
                          [&](NameAnswer& m) { return names_.from_parent(m); },
                          [&](const Deaths& m) {
                              deaths_.from_parent(m);
                              return true;
                          },
                          [&](const GatherOrder& m) { return blobs_.ordered(m); },
                          [&](GatherPieces& m) { return blobs_.round_from_parent(std::move(m)); },
                          [&](const auto&) { return said_either_way(std::nullopt, message); },
                      },
                      message);
}

/// The whole message counts as said when its last part has come.
bool Exchange::said_in_part(std::optional<NodeIndex> child, const MessagePart& part) {
    std::string& partial = partial_[child];
    if (part.first) partial.clear();
    if (part.bytes.size() > max_message_bytes - partial.size()) return false;
    partial += part.bytes;
    if (!part.last) return true;
    auto message = decode_exchange(partial);
    partial_.erase(child);
    if (!message || std::holds_alternative<MessagePart>(*message)) return false;
    return child ? said_by_child(*child, std::move(*message)) : said_by_parent(std::move(*message));
}

/// Takes a message that children and the parent (no child) may send. False: neither may send it.
bool Exchange::said_either_way(std::optional<NodeIndex> child, ExchangeMessage& message) {
    Neighbour& from = child ? state_.children.at(*child) : state_.parent;
    return std::visit(Overloaded{
                          [&](Ask& m) { return lookup_.from(child, std::move(m)); },
                          [&](Answer& m) { return lookup_.from(child, std::move(m)); },
                          [&](Want&) {
                              bulk_.wanted_by(from);
                              return true;
                          },
                          [&](Cards& m) {
                              const bool is_right = bulk_.received(from, m);
                              if (is_right) lookup_.advance();
                              return is_right;
                          },
                          [&](const Told& m) {
                              events_.from(child, m);
                              return true;
                          },
                          [&](const MessagePart& m) { return said_in_part(child, m); },
                          [](const auto&) { return false; },
                      },
                      message);
}

}  // namespace launch
