// SPDX-License-Identifier: MIT
#include "modex/exchange/exchange_messages.hpp"

#include <concepts>
#include <tuple>
#include <type_traits>
#include <utility>

#include "core/base/codec.hpp"

namespace launch {
namespace {

// The fields of each message and of each part of one, in the order in which they are on the wire.

template <class Given, class Message>
concept Is = std::same_as<std::remove_const_t<Given>, Message>;

struct MessageFields {
    static auto of(Is<NewPattern> auto& m) { return std::tie(m.text, m.owner); }
    static auto of(Is<Piece> auto& m) { return std::tie(m.of, m.offset, m.size, m.bytes); }
    static auto of(Is<CardsUp> auto& m) {
        return std::tie(m.changed, m.complete, m.bytes, m.patterns, m.cards, m.changes);
    }
    static auto of(Is<BlobsUp> auto& m) {
        return std::tie(m.collect, m.complete, m.bytes, m.peers, m.peers_lost, m.pieces);
    }
    static auto of(Is<FenceUp> auto& m) {
        return std::tie(m.members, m.after, m.counted, m.absent, m.absent_rank, m.load, m.last);
    }
    static auto of(Is<CardsDown> auto& m) {
        return std::tie(m.forget, m.complete, m.patterns, m.cards);
    }
    static auto of(Is<BlobsDown> auto& m) { return std::tie(m.pieces); }
    static auto of(Is<FenceDown> auto& m) { return std::tie(m.members, m.number, m.load, m.last); }
    static auto of(Is<Ask> auto& m) { return std::tie(m.channel, m.owner, m.key); }
    static auto of(Is<Answer> auto& m) {
        return std::tie(m.channel, m.owner, m.epoch, m.found, m.sent, m.key, m.value);
    }
    static auto of(Is<Want> auto&) { return std::tie(); }
    static auto of(Is<Cards> auto& m) { return std::tie(m.epoch, m.last, m.cards); }
    static auto of(Is<NameScope> auto& m) { return std::tie(m.range, m.life, m.host); }
    static auto of(Is<NameAsk> auto& m) {
        return std::tie(m.verb, m.ticket, m.again, m.name, m.value, m.scope, m.rank);
    }
    static auto of(Is<NameAnswer> auto& m) { return std::tie(m.ticket, m.ok, m.value); }
    static auto of(Is<Told> auto& m) { return std::tie(m.data); }
    static auto of(Is<WatchDeaths> auto&) { return std::tie(); }
    static auto of(Is<Deaths> auto& m) { return std::tie(m.ranks); }
    static auto of(Is<GatherOrder> auto& m) {
        return std::tie(m.sequence, m.attempt, m.way, m.nodes, m.bytes, m.peers_lost);
    }
    static auto of(Is<GatherReport> auto& m) { return std::tie(m.sequence, m.attempt, m.done); }
    static auto of(Is<GatherPieces> auto& m) {
        return std::tie(m.sequence, m.attempt, m.last, m.pieces);
    }
    static auto of(Is<PeerPieces> auto& m) {
        return std::tie(m.sequence, m.attempt, m.step, m.pieces);
    }
    static auto of(Is<GroupsOver> auto& m) { return std::tie(m.number); }
    static auto of(Is<MessagePart> auto& m) { return std::tie(m.first, m.last, m.bytes); }
};

/// Whether the fields of a decoded message are allowed values.
bool makes_sense(const GatherOrder& m) {
    return m.attempt > 0;
}

bool makes_sense(const Piece& m) {
    return m.offset <= m.size && m.bytes.size() <= m.size - m.offset;
}

template <class Message>
bool makes_sense(const Message&) {
    return true;
}

/// The last enumerator of each kind.
struct LastEnumerator {
    static Channel of(Channel) { return Channel::blobs; }
    static NameAsk::Verb of(NameAsk::Verb) { return NameAsk::Verb::collective; }
    static NameScope::Range of(NameScope::Range) { return NameScope::Range::process; }
    static NameScope::Life of(NameScope::Life) { return NameScope::Life::session; }
    static GatherWay of(GatherWay) { return GatherWay::doubling; }
};

/// Writes a field of any kind.
class Writer {
  public:
    void operator()(std::unsigned_integral auto number) { out_.number(number); }
    void operator()(const std::string& text) { out_.text(text); }
    template <class Enum>
    requires std::is_enum_v<Enum>
    void operator()(Enum value) { out_.number(static_cast<uint64_t>(value)); }
    /// Ranks: ascending, each once, so each by its distance from the one before.
    void operator()(const std::vector<uint32_t>& ranks) {
        out_.number(ranks.size());
        uint32_t before = 0;
        for (const uint32_t rank : ranks)
            out_.number(rank - std::exchange(before, rank));
    }
    template <class Item>
    void operator()(const std::vector<Item>& items) {
        out_.number(items.size());
        for (const Item& item : items)
            (*this)(item);
    }
    /// The kind is its place in the variant.
    template <class... Kind>
    void operator()(const std::variant<Kind...>& one) {
        out_.number(one.index());
        std::visit(*this, one);
    }
    template <class Message>
    requires std::is_class_v<Message>
    void operator()(const Message& message) {
        std::apply([this](const auto&... each) { ((*this)(each), ...); },
                   MessageFields::of(message));
    }

    std::string take() { return out_.take(); }

  private:
    Encoder out_;
};

/// Reads what Writer wrote.
class Reader {
  public:
    explicit Reader(std::string_view payload) : in_(payload) {}

    void operator()(uint64_t& number) { number = in_.number(); }
    void operator()(uint32_t& number) { number = in_.number32(); }
    void operator()(bool& flag) { flag = in_.flag(); }
    void operator()(std::string& text) { text = in_.text(); }
    template <class Enum>
    requires std::is_enum_v<Enum>
    void operator()(Enum& value) { value = decode_enum(in_, LastEnumerator::of(value)); }
    void operator()(std::vector<uint32_t>& ranks) {
        const uint32_t count = in_.count();
        uint64_t rank = 0;
        for (uint32_t i = 0; i < count && in_.ok(); ++i) {
            const uint32_t step = in_.number32();
            rank += step;
            if (rank > UINT32_MAX || (i > 0 && step == 0)) in_.fail();
            if (in_.ok()) ranks.push_back(static_cast<uint32_t>(rank));
        }
    }
    template <class Item>
    void operator()(std::vector<Item>& items) {
        const uint32_t count = in_.count();
        for (uint32_t i = 0; i < count && in_.ok(); ++i)
            (*this)(items.emplace_back());
    }
    template <class... Kind>
    void operator()(std::variant<Kind...>& one) {
        const uint64_t kind = in_.number();
        if (kind >= sizeof...(Kind)) return in_.fail();
        uint64_t next = 0;
        ((next++ == kind ? (*this)(one.template emplace<Kind>()) : void()), ...);
    }
    template <class Message>
    requires std::is_class_v<Message>
    void operator()(Message& message) {
        std::apply([this](auto&... each) { ((*this)(each), ...); }, MessageFields::of(message));
        if (!makes_sense(message)) in_.fail();
    }

    bool done() const { return in_.done(); }

  private:
    Decoder in_;
};

}  // namespace

std::string encode(const ExchangeMessage& message) {
    Writer writer;
    writer(message);
    return writer.take();
}

std::vector<std::string> in_parts(std::string message) {
    std::vector<std::string> parts;
    if (message.size() <= 2 * PieceBatch::limit) {
        parts.push_back(std::move(message));
        return parts;
    }
    for (size_t at = 0; at < message.size(); at += PieceBatch::limit) {
        const bool last = message.size() - at <= PieceBatch::limit;
        parts.push_back(encode(MessagePart{at == 0, last, message.substr(at, PieceBatch::limit)}));
    }
    return parts;
}

std::optional<ExchangeMessage> decode_exchange(std::string_view payload) {
    Reader reader(payload);
    std::optional<ExchangeMessage> message(std::in_place);
    reader(*message);
    if (!reader.done()) message.reset();
    return message;
}

}  // namespace launch
