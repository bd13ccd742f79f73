#include "modex/exchange/exchange_messages.hpp"

#include <utility>

#include "core/base/codec.hpp"

namespace launch {
namespace {

// One kind of field: how it is written and how it is read.

void put(Encoder& out, uint32_t number) {
    out.number(number);
}

void take(Decoder& in, uint32_t& number) {
    number = in.number32();
}

void put(Encoder& out, uint64_t number) {
    out.number(number);
}

void take(Decoder& in, uint64_t& number) {
    number = in.number();
}

void put(Encoder& out, bool flag) {
    out.flag(flag);
}

void take(Decoder& in, bool& flag) {
    flag = in.flag();
}

void put(Encoder& out, const std::string& text) {
    out.text(text);
}

void take(Decoder& in, std::string& text) {
    text = in.text();
}

void put(Encoder& out, Channel channel) {
    out.number(static_cast<uint64_t>(channel));
}

void take(Decoder& in, Channel& channel) {
    channel = decode_enum(in, Channel::blobs);
}

void put(Encoder& out, NameAsk::Verb verb) {
    out.number(static_cast<uint64_t>(verb));
}

void take(Decoder& in, NameAsk::Verb& verb) {
    verb = decode_enum(in, NameAsk::Verb::give_up);
}

void put(Encoder& out, GatherWay way) {
    out.number(static_cast<uint64_t>(way));
}

void take(Decoder& in, GatherWay& way) {
    way = decode_enum(in, GatherWay::doubling);
}

void put(Encoder& out, const NewPattern& pattern) {
    out.text(pattern.text).number(pattern.owner);
}

void take(Decoder& in, NewPattern& pattern) {
    pattern.text = in.text();
    pattern.owner = in.number32();
}

void put(Encoder& out, const Piece& piece) {
    out.number(piece.of).number(piece.offset).number(piece.size).text(piece.bytes);
}

void take(Decoder& in, Piece& piece) {
    piece.of = in.number32();
    piece.offset = in.number();
    piece.size = in.number();
    piece.bytes = in.text();
    const bool within =
        piece.offset <= piece.size && piece.bytes.size() <= piece.size - piece.offset;
    if (!within) in.fail();
}

template <class Item>
void put(Encoder& out, const std::vector<Item>& items) {
    out.number(items.size());
    for (const Item& item : items)
        put(out, item);
}

template <class Item>
void take(Decoder& in, std::vector<Item>& items) {
    const uint32_t count = in.count();
    for (uint32_t i = 0; i < count && in.ok(); ++i)
        take(in, items.emplace_back());
}

/// Ranks: ascending, each once, so each by its distance from the one before.
void put(Encoder& out, const std::vector<uint32_t>& ranks) {
    out.number(ranks.size());
    uint32_t before = 0;
    for (const uint32_t rank : ranks)
        out.number(rank - std::exchange(before, rank));
}

void take(Decoder& in, std::vector<uint32_t>& ranks) {
    const uint32_t count = in.count();
    uint64_t rank = 0;
    for (uint32_t i = 0; i < count && in.ok(); ++i) {
        const uint32_t step = in.number32();
        rank += step;
        if (rank > UINT32_MAX || (i > 0 && step == 0)) in.fail();
        if (in.ok()) ranks.push_back(static_cast<uint32_t>(rank));
    }
}

struct Writer {
    template <class... Field>
    void operator()(const Field&... fields) {
        (put(out, fields), ...);
    }
    template <class Message>
    using Sees = const Message;

    Encoder out;
};

struct Reader {
    template <class... Field>
    void operator()(Field&... fields) {
        (take(in, fields), ...);
    }
    template <class Message>
    using Sees = Message;

    Decoder in;
};

// The fields of each message, in the order in which they are on the wire.

template <class Wire>
void fields(Wire& wire, typename Wire::template Sees<FenceUp>& m) {
    wire(m.channel, m.sequence, m.absent, m.absent_rank, m.changed, m.collect, m.complete, m.bytes,
         m.patterns, m.cards, m.changes, m.peers, m.peers_lost, m.pieces);
}

template <class Wire>
void fields(Wire& wire, typename Wire::template Sees<FenceDown>& m) {
    wire(m.channel, m.sequence, m.forget, m.complete, m.patterns, m.cards, m.pieces);
}

template <class Wire>
void fields(Wire& wire, typename Wire::template Sees<Ask>& m) {
    wire(m.channel, m.owner, m.key);
}

template <class Wire>
void fields(Wire& wire, typename Wire::template Sees<Answer>& m) {
    wire(m.channel, m.owner, m.epoch, m.found, m.sent, m.key, m.value);
}

template <class Wire>
void fields(Wire&, typename Wire::template Sees<Want>&) {}

template <class Wire>
void fields(Wire& wire, typename Wire::template Sees<Cards>& m) {
    wire(m.epoch, m.last, m.cards);
}

template <class Wire>
void fields(Wire& wire, typename Wire::template Sees<NameAsk>& m) {
    wire(m.verb, m.ticket, m.again, m.name, m.value);
}

template <class Wire>
void fields(Wire& wire, typename Wire::template Sees<NameAnswer>& m) {
    wire(m.ticket, m.ok, m.value);
}

template <class Wire>
void fields(Wire& wire, typename Wire::template Sees<GroupUp>& m) {
    wire(m.group, m.joined, m.after, m.blob);
}

template <class Wire>
void fields(Wire& wire, typename Wire::template Sees<GroupDown>& m) {
    wire(m.group, m.number, m.blob);
}

template <class Wire>
void fields(Wire& wire, typename Wire::template Sees<GroupsOver>& m) {
    wire(m.number);
}

template <class Wire>
void fields(Wire& wire, typename Wire::template Sees<Told>& m) {
    wire(m.data);
}

template <class Wire>
void fields(Wire&, typename Wire::template Sees<WatchDeaths>&) {}

template <class Wire>
void fields(Wire& wire, typename Wire::template Sees<Deaths>& m) {
    wire(m.ranks);
}

template <class Wire>
void fields(Wire& wire, typename Wire::template Sees<GatherOrder>& m) {
    wire(m.sequence, m.attempt, m.way, m.nodes, m.bytes, m.peers_lost);
}

template <class Wire>
void fields(Wire& wire, typename Wire::template Sees<GatherReport>& m) {
    wire(m.sequence, m.attempt, m.done);
}

template <class Wire>
void fields(Wire& wire, typename Wire::template Sees<GatherPieces>& m) {
    wire(m.sequence, m.attempt, m.last, m.pieces);
}

template <class Wire>
void fields(Wire& wire, typename Wire::template Sees<PeerPieces>& m) {
    wire(m.sequence, m.attempt, m.step, m.pieces);
}

/// Of what has been read: it says what such a message may say.
bool makes_sense(const GatherOrder& m) {
    return m.attempt > 0;
}

template <class Message>
bool makes_sense(const Message&) {
    return true;
}

template <size_t I = 0>
std::optional<ExchangeMessage> read_kind(uint64_t kind, Reader& reader) {
    if constexpr (I == std::variant_size_v<ExchangeMessage>) {
        return std::nullopt;
    } else {
        if (kind != I) return read_kind<I + 1>(kind, reader);
        std::variant_alternative_t<I, ExchangeMessage> message;
        fields(reader, message);
        if (!reader.in.done() || !makes_sense(message)) return std::nullopt;
        return message;
    }
}

}  // namespace

/// The message's kind on the wire is its place in the variant.
std::string encode(const ExchangeMessage& message) {
    Writer writer;
    writer(uint64_t{message.index()});
    std::visit([&writer](const auto& m) { fields(writer, m); }, message);
    return writer.out.take();
}

std::optional<ExchangeMessage> decode_exchange(std::string_view payload) {
    Reader reader{Decoder(payload)};
    const uint64_t kind = reader.in.number();
    return read_kind(kind, reader);
}

}  // namespace launch
