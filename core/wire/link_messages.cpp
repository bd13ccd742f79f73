// SPDX-License-Identifier: MIT
#include "core/wire/link_messages.hpp"

#include "core/base/codec.hpp"
#include "core/wire/contact_codec.hpp"
#include "core/wire/node_ranges.hpp"

namespace launch {
namespace {

void encode_count(Encoder& out, const ReceivedCount& count) {
    out.number(count.control).number(count.data);
}

ReceivedCount decode_count(Decoder& in) {
    ReceivedCount count;
    count.control = in.number();
    count.data = in.number();
    return count;
}

void encode_count(Encoder& out, const std::optional<ReceivedCount>& count) {
    out.flag(count.has_value());
    if (count) encode_count(out, *count);
}

std::optional<ReceivedCount> decode_optional_count(Decoder& in) {
    if (!in.flag()) return std::nullopt;
    return decode_count(in);
}

}  // namespace

std::string wrap_report(ReportHeader header, std::string_view body) {
    return Encoder{}.number(header.origin).number(header.number).raw(body).take();
}

std::optional<Report> unwrap_report(std::string_view payload) {
    Decoder in(payload);
    Report report;
    report.header.origin = in.number32();
    report.header.number = in.number();
    report.body = in.rest();
    return checked(in, report);
}

std::string AckMessage::encode() const {
    Encoder out;
    out.number(origin).number(control).number(output);
    return out.number(static_cast<uint32_t>(job)).number(read).take();
}

std::optional<AckMessage> AckMessage::decode(std::string_view payload) {
    Decoder in(payload);
    AckMessage message;
    message.origin = in.number32();
    message.control = in.number();
    message.output = in.number();
    message.job = JobNumber{in.number32()};
    message.read = in.number();
    return checked(in, message);
}

std::string PingMessage::encode() const {
    Encoder out;
    out.flag(starting);
    encode_count(out, received);
    out.number(heard);
    out.flag(waits_for_head);
    return out.take();
}

std::optional<PingMessage> PingMessage::decode(std::string_view payload) {
    Decoder in(payload);
    PingMessage message;
    message.starting = in.flag();
    message.received = decode_count(in);
    message.heard = in.number();
    message.waits_for_head = in.flag();
    return checked(in, message);
}

std::string wrap_broadcast(const Broadcast& message) {
    return Encoder{}.number(message.number).raw(message.body).take();
}

std::optional<Broadcast> unwrap_broadcast(std::string_view payload) {
    Decoder in(payload);
    Broadcast message;
    message.number = in.number();
    message.body = in.rest();
    return checked(in, message);
}

std::string AttachMessage::encode() const {
    Encoder out;
    out.number(node).number(size);
    encode_count(out, received);
    out.number(heard).flag(rerouted).number(generation);
    encode_ranges(out, below);
    return out.number(count).take();
}

std::optional<AttachMessage> AttachMessage::decode(std::string_view payload) {
    Decoder in(payload);
    AttachMessage message;
    message.node = in.number32();
    message.size = in.number32();
    message.received = decode_optional_count(in);
    message.heard = in.number();
    message.rerouted = in.flag();
    message.generation = in.number32();
    message.below = decode_ranges(in);
    message.count = in.number32();
    if (message.size == 0) in.fail();
    return checked(in, std::move(message));
}

std::string AttachedMessage::encode() const {
    Encoder out;
    encode_count(out, received);
    encode_contacts(out, ancestors);
    return out.number(count).take();
}

std::optional<AttachedMessage> AttachedMessage::decode(std::string_view payload) {
    Decoder in(payload);
    AttachedMessage message;
    message.received = decode_optional_count(in);
    message.ancestors = decode_contacts(in);
    message.count = in.number32();
    return checked(in, std::move(message));
}

std::string MovedMessage::encode() const {
    Encoder out;
    encode_ranges(out, nodes);
    out.number(received);
    return out.take();
}

std::optional<MovedMessage> MovedMessage::decode(std::string_view payload) {
    Decoder in(payload);
    MovedMessage message;
    message.nodes = decode_ranges(in);
    message.received = in.number();
    if (message.nodes.empty()) in.fail();
    return checked(in, std::move(message));
}

}  // namespace launch
