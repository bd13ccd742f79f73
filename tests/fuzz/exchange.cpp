// SPDX-License-Identifier: MIT
// Hostile neighbours: a root and a node below it, between any messages of a parent, of children and
// of a peer, and any requests of ranks. The input is a list of steps, each a number and a text.
#include "modex/exchange/exchange.hpp"

#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/codec.hpp"
#include "tests/fuzz/targets.hpp"

namespace launch {
namespace {

using fuzz::require;

/// More than this from a few kilobytes is a flood.
constexpr size_t most_output = 64u << 20;
/// A neighbour that lies about fences can make two nodes ask each other for ever, at its own pace.
constexpr int most_in_a_step = 200;

constexpr NodeIndex inner_index = 1;
constexpr NodeIndex hostile_index = 5;
constexpr NodeIndex moved_index = 6;
constexpr uint32_t hostile_peer = 2;
constexpr uint32_t peers = 3;
constexpr uint64_t kinds = 26;

/// What one of the two says, for the other where it is meant for that.
struct Sink final : ExchangeSink {
    void to_parent(std::string message) override { said(up, std::move(message)); }
    void to_child(NodeIndex child, std::string message) override {
        if (child == inner_index) {
            said(down, std::move(message));
        } else {
            output += message.size();
        }
    }
    void peers_wanted() override {}
    void to_peer(uint32_t number, std::string message) override {
        if (number == hostile_peer) {
            output += message.size();
        } else {
            said(peer, std::move(message));
        }
    }
    void fence_done(Channel, std::string blob) override { output += blob.size(); }
    void group_done(const std::vector<uint32_t>&, const std::string& blob) override {
        output += blob.size();
    }
    void answered(uint64_t, bool, const std::string& value) override { output += value.size(); }
    void blob_wanted(uint32_t) override {}
    void event_told(const std::string& data) override { output += data.size(); }
    void ranks_died(const std::vector<uint32_t>& ranks) override { output += ranks.size(); }
    void fence_broken(uint32_t, uint32_t) override {}

    void said(std::deque<std::string>& where, std::string message) {
        require(decode_exchange(message).has_value(), "it says what can be read");
        output += message.size();
        require(output <= most_output, "no flood");
        where.push_back(std::move(message));
    }

    std::deque<std::string> up;
    std::deque<std::string> down;
    std::deque<std::string> peer;
    size_t output = 0;
};

struct Pair {
    explicit Pair(ModexChoice algorithm)
        : root({8, {0, 1}, true, false, true}, algorithm, root_sink),
          inner({8, {2, 3}, false, false, true}, algorithm, inner_sink) {
        root.add_child(inner_index, {{{2, 2, 1}}, {{4, 2, 1}}});
        root.add_child(hostile_index, {{{6, 2, 1}}});
        inner.add_child(hostile_index, {{{4, 2, 1}}});
    }

    /// The node below `inner` comes to the root, which `inner` takes for lost.
    void move() {
        if (moved) return;
        moved = true;
        root.split_child(inner_index, moved_index, {{{4, 2, 1}}}, {{{2, 2, 1}}, {}});
        inner.lose_child(hostile_index, {4, 5});
    }

    void deliver() {
        for (int i = 0; i < most_in_a_step; ++i) {
            if (const auto message = next(root_sink.down)) {
                inner.from_parent(*message);
            } else if (const auto up = next(inner_sink.up)) {
                root.from_child(inner_index, *up);
            } else if (const auto across = next(root_sink.peer)) {
                inner.from_peer(0, *across);
            } else if (const auto back = next(inner_sink.peer)) {
                root.from_peer(inner_index, *back);
            } else {
                return;
            }
        }
    }
    static std::optional<std::string> next(std::deque<std::string>& queue) {
        if (queue.empty()) return std::nullopt;
        std::string message = std::move(queue.front());
        queue.pop_front();
        return message;
    }

    /// What ranks do together: what it is, and what this node brings along.
    void gather(Exchange& node, const std::string& text) {
        Decoder in(text);
        const std::string what(in.text());
        node.name(NameAsk::Verb::collective, ++ticket, what, std::string(in.rest()));
    }

    void step(uint64_t kind, const std::string& text) {
        const auto rank = static_cast<uint32_t>(text.empty() ? 0 : text.front() % 4);
        Exchange& node = rank < 2 ? root : inner;
        switch (kind % kinds) {
            case 0: root.from_child(hostile_index, text); break;
            case 1: inner.from_child(hostile_index, text); break;
            case 2: root.from_child(inner_index, text); break;
            case 3: inner.from_parent(text); break;
            case 4: node.put({rank, text, text}); break;
            case 5: node.join(rank); break;
            case 6: node.get(++ticket, text, static_cast<int32_t>(kind / kinds) - 1); break;
            case 7:
                if (kind / kinds % 2 == 0)
                    node.name(NameAsk::Verb::publish, ++ticket, text, text);
                else
                    gather(node, text);
                break;
            case 8: node.join_all(text, kind / kinds % 2 == 0); break;
            case 9: node.join_group({1, 2, 5}, text); break;
            case 10: node.fetch(++ticket, static_cast<uint32_t>(kind / kinds)); break;
            case 11: node.resolved(rank, text); break;
            case 12: node.exited(rank); break;
            case 13: root.exited_below(2 + rank % 2); break;
            case 14: node.tell_event(text); break;
            case 15: node.died(rank); break;
            case 16: node.watch_deaths(); break;
            case 17: move(); break;
            case 18: root.from_child(moved_index, text); break;
            case 19:
                root.lose_child(kind / kinds % 2 == 0 ? moved_index : hostile_index, {rank + 4});
                break;
            case 20: root.lost_below(static_cast<uint32_t>(kind / kinds % 8)); break;
            case 21: inner.new_parent(); break;
            case 22: node.open_peers(rank < 2 ? 0 : inner_index, peers); break;
            case 23: root.from_peer(hostile_peer, text); break;
            case 24: inner.from_peer(hostile_peer, text); break;
            default: node.peer_lost(hostile_peer); break;
        }
        deliver();
    }

    Sink root_sink;
    Sink inner_sink;
    Exchange root;
    Exchange inner;
    uint64_t ticket = 0;
    bool moved = false;
};

/// Of one of the texts within messages about what ranks do together.
template <class Message>
void round_trip_of(std::string_view text) {
    const auto message = Message::decode(text);
    if (!message) return;
    const std::string once = message->encode();
    const auto again = Message::decode(once);
    require(again && again->encode() == once, "read as written");
}

void round_trip(std::string_view payload) {
    round_trip_of<Collective>(payload);
    round_trip_of<CollectivePart>(payload);
    round_trip_of<CollectiveResult>(payload);
    const auto message = decode_exchange(payload);
    if (!message) return;
    const std::string once = encode(*message);
    const auto again = decode_exchange(once);
    require(again && encode(*again) == once, "read as written");
}

}  // namespace

void fuzz::exchange(std::string_view bytes) {
    round_trip(bytes);
    Decoder in(bytes);
    Pair pair(static_cast<ModexChoice>(in.number() % modex_choice_names.size()));
    while (in.ok() && !in.done()) {
        const uint64_t kind = in.number();
        const std::string text(in.text());
        if (!in.ok()) break;
        round_trip(text);
        pair.step(kind, text);
    }
}

}  // namespace launch
