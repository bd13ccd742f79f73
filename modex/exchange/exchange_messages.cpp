#include "modex/exchange/exchange_messages.hpp"

#include <utility>

#include "modex/exchange/gather_codec.hpp"

namespace launch {
namespace {

/// The message's kind on the wire is its place in the variant.
template <class T, size_t I = 0>
constexpr uint64_t kind_of() {
    if constexpr (std::is_same_v<T, std::variant_alternative_t<I, ExchangeMessage>>) {
        return I;
    } else {
        return kind_of<T, I + 1>();
    }
}

void put(Encoder& out, Channel channel) {
    out.number(static_cast<uint64_t>(channel));
}

Channel take_channel(Decoder& in) {
    const uint64_t number = in.number();
    if (number >= channels) in.fail();
    return number == 0 ? Channel::cards : Channel::blobs;
}

void put(Encoder& out, const std::vector<NewPattern>& patterns) {
    out.number(patterns.size());
    for (const auto& each : patterns)
        out.text(each.text).number(each.owner);
}

std::vector<NewPattern> take_patterns(Decoder& in) {
    std::vector<NewPattern> patterns;
    const uint32_t count = in.count();
    for (uint32_t i = 0; i < count && in.ok(); ++i) {
        std::string text(in.text());
        patterns.push_back({std::move(text), in.number32()});
    }
    return patterns;
}

void put(Encoder& out, const std::vector<uint32_t>& ranks) {
    out.number(ranks.size());
    uint32_t before = 0;
    for (const uint32_t rank : ranks)
        out.number(rank - std::exchange(before, rank));
}

/// Ascending, each once.
std::vector<uint32_t> take_ranks(Decoder& in) {
    std::vector<uint32_t> ranks;
    const uint32_t count = in.count();
    uint64_t rank = 0;
    for (uint32_t i = 0; i < count && in.ok(); ++i) {
        const uint32_t step = in.number32();
        rank += step;
        if (rank > UINT32_MAX || (i > 0 && step == 0)) in.fail();
        if (in.ok()) ranks.push_back(static_cast<uint32_t>(rank));
    }
    return ranks;
}

std::string take_text(Decoder& in) {
    return std::string(in.text());
}

void write(Encoder& out, const FenceUp& m) {
    put(out, m.channel);
    out.number(m.sequence).number(m.absent).number(m.absent_rank);
    out.flag(m.changed).flag(m.collect).flag(m.complete).number(m.bytes);
    put(out, m.patterns);
    out.text(m.cards).text(m.changes).number(m.peers).flag(m.peers_lost);
    write(out, m.pieces);
}

void read(Decoder& in, FenceUp& m) {
    m.channel = take_channel(in);
    m.sequence = in.number();
    m.absent = in.number32();
    m.absent_rank = in.number32();
    m.changed = in.flag();
    m.collect = in.flag();
    m.complete = in.flag();
    m.bytes = in.number();
    m.patterns = take_patterns(in);
    m.cards = take_text(in);
    m.changes = take_text(in);
    m.peers = in.number32();
    m.peers_lost = in.flag();
    read(in, m.pieces);
}

void write(Encoder& out, const FenceDown& m) {
    put(out, m.channel);
    out.number(m.sequence).flag(m.forget).flag(m.complete);
    put(out, m.patterns);
    out.text(m.cards);
    write(out, m.pieces);
}

void read(Decoder& in, FenceDown& m) {
    m.channel = take_channel(in);
    m.sequence = in.number();
    m.forget = in.flag();
    m.complete = in.flag();
    m.patterns = take_patterns(in);
    m.cards = take_text(in);
    read(in, m.pieces);
}

void write(Encoder& out, const Ask& m) {
    put(out, m.channel);
    out.number(m.owner).text(m.key);
}

void read(Decoder& in, Ask& m) {
    m.channel = take_channel(in);
    m.owner = in.number32();
    m.key = take_text(in);
}

void write(Encoder& out, const Answer& m) {
    put(out, m.channel);
    out.number(m.owner).number(m.epoch).flag(m.found).flag(m.sent).text(m.key).text(m.value);
}

void read(Decoder& in, Answer& m) {
    m.channel = take_channel(in);
    m.owner = in.number32();
    m.epoch = in.number();
    m.found = in.flag();
    m.sent = in.flag();
    m.key = take_text(in);
    m.value = take_text(in);
}

void write(Encoder&, const Want&) {}

void read(Decoder&, Want&) {}

void write(Encoder& out, const Cards& m) {
    out.number(m.epoch).flag(m.last).text(m.cards);
}

void read(Decoder& in, Cards& m) {
    m.epoch = in.number();
    m.last = in.flag();
    m.cards = take_text(in);
}

void write(Encoder& out, const NameAsk& m) {
    out.number(static_cast<uint64_t>(m.verb)).number(m.ticket).flag(m.again);
    out.text(m.name).text(m.value);
}

void read(Decoder& in, NameAsk& m) {
    const uint64_t verb = in.number();
    if (verb > static_cast<uint64_t>(NameAsk::Verb::give_up)) in.fail();
    m.verb = static_cast<NameAsk::Verb>(verb);
    m.ticket = in.number();
    m.again = in.flag();
    m.name = take_text(in);
    m.value = take_text(in);
}

void write(Encoder& out, const NameAnswer& m) {
    out.number(m.ticket).flag(m.ok).text(m.value);
}

void read(Decoder& in, NameAnswer& m) {
    m.ticket = in.number();
    m.ok = in.flag();
    m.value = take_text(in);
}

void write(Encoder& out, const GroupUp& m) {
    put(out, m.group);
    put(out, m.joined);
    out.number(m.after).text(m.blob);
}

void read(Decoder& in, GroupUp& m) {
    m.group = take_ranks(in);
    m.joined = take_ranks(in);
    m.after = in.number();
    m.blob = take_text(in);
}

void write(Encoder& out, const GroupDown& m) {
    put(out, m.group);
    out.number(m.number).text(m.blob);
}

void read(Decoder& in, GroupDown& m) {
    m.group = take_ranks(in);
    m.number = in.number();
    m.blob = take_text(in);
}

void write(Encoder& out, const GroupsOver& m) {
    out.number(m.number);
}

void read(Decoder& in, GroupsOver& m) {
    m.number = in.number();
}

void write(Encoder& out, const Told& m) {
    out.text(m.data);
}

void read(Decoder& in, Told& m) {
    m.data = take_text(in);
}

void write(Encoder&, const WatchDeaths&) {}

void read(Decoder&, WatchDeaths&) {}

void write(Encoder& out, const Deaths& m) {
    put(out, m.ranks);
}

void read(Decoder& in, Deaths& m) {
    m.ranks = take_ranks(in);
}

template <size_t I = 0>
std::optional<ExchangeMessage> read_kind(uint64_t kind, Decoder& in) {
    if constexpr (I == std::variant_size_v<ExchangeMessage>) {
        return std::nullopt;
    } else {
        if (kind != I) return read_kind<I + 1>(kind, in);
        std::variant_alternative_t<I, ExchangeMessage> message;
        read(in, message);
        if (!in.done()) return std::nullopt;
        return message;
    }
}

}  // namespace

std::string encode(const ExchangeMessage& message) {
    return std::visit(
        [](const auto& m) {
            Encoder out;
            out.number(kind_of<std::decay_t<decltype(m)>>());
            write(out, m);
            return out.take();
        },
        message);
}

std::optional<ExchangeMessage> decode_exchange(std::string_view payload) {
    Decoder in(payload);
    const uint64_t kind = in.number();
    return read_kind(kind, in);
}

}  // namespace launch
