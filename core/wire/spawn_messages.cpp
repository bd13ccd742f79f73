// SPDX-License-Identifier: MIT
#include "core/wire/spawn_messages.hpp"

#include "core/base/codec.hpp"

namespace launch {
namespace {

void encode_pairs(Encoder& out, const SpawnPairs& pairs) {
    out.number(pairs.size());
    for (const auto& [name, value] : pairs)
        out.text(name).text(value);
}

SpawnPairs decode_pairs(Decoder& in) {
    SpawnPairs pairs;
    const uint32_t count = in.count();
    for (uint32_t i = 0; in.ok() && i < count; ++i) {
        std::string name(in.text());
        std::string value(in.text());
        pairs.emplace_back(std::move(name), std::move(value));
    }
    return pairs;
}

SpawnOrder decode_order(Decoder& in) {
    SpawnOrder order;
    const uint32_t count = in.count();
    for (uint32_t i = 0; in.ok() && i < count; ++i) {
        SpawnOrder::Program program;
        program.argv = in.texts();
        program.ranks = in.number32();
        program.env = in.texts();
        program.info = decode_pairs(in);
        if (program.argv.empty()) in.fail();
        order.programs.push_back(std::move(program));
    }
    order.cards = decode_pairs(in);
    const uint32_t kind = in.number32();
    if (kind > static_cast<uint32_t>(SpawnOrder::Kind::last)) in.fail();
    order.kind = static_cast<SpawnOrder::Kind>(kind);
    order.hosts = in.text();
    order.since = in.number();
    order.wait_ms = in.number32();
    return order;
}

}  // namespace

std::string SpawnMessage::encode() const {
    Encoder out;
    out.number(node).number(ticket).number(rank).number(order.programs.size());
    for (const auto& program : order.programs) {
        out.texts(program.argv).number(program.ranks).texts(program.env);
        encode_pairs(out, program.info);
    }
    encode_pairs(out, order.cards);
    out.number(static_cast<uint32_t>(order.kind)).text(order.hosts);
    return out.number(order.since).number(order.wait_ms).take();
}

std::optional<SpawnMessage> SpawnMessage::decode(std::string_view payload) {
    Decoder in(payload);
    SpawnMessage message;
    message.node = in.number32();
    message.ticket = in.number();
    message.rank = in.number32();
    message.order = decode_order(in);
    return checked(in, std::move(message));
}

std::string SpawnedMessage::encode() const {
    Encoder out;
    out.number(node).number(ticket).text(text).number(ranks).number(failed.size());
    for (const uint32_t rank : failed)
        out.number(rank);
    return out.text(why).take();
}

std::optional<SpawnedMessage> SpawnedMessage::decode(std::string_view payload) {
    Decoder in(payload);
    SpawnedMessage message;
    message.node = in.number32();
    message.ticket = in.number();
    message.text = in.text();
    message.ranks = in.number32();
    const uint32_t count = in.count();
    for (uint32_t i = 0; in.ok() && i < count; ++i) {
        message.failed.push_back(in.number32());
        if (message.failed.back() >= message.ranks) in.fail();
    }
    message.why = in.text();
    return checked(in, std::move(message));
}

void encode_origin(Encoder& out, const JobOrigin& origin) {
    out.number(origin.space).text(origin.parent).number(origin.rank);
    encode_pairs(out, origin.cards);
}

JobOrigin decode_origin(Decoder& in) {
    JobOrigin origin;
    origin.space = in.number32();
    origin.parent = in.text();
    origin.rank = in.number32();
    origin.cards = decode_pairs(in);
    return origin;
}

}  // namespace launch
