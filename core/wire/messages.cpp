// SPDX-License-Identifier: MIT
#include "core/wire/messages.hpp"

#include <utility>

#include "core/base/codec.hpp"
#include "core/wire/node_ranges.hpp"

namespace launch {
namespace {

void encode_error(Encoder& out, const Error& error) {
    out.number(static_cast<uint64_t>(error.kind)).text(error.operation).text(error.host);
    out.number(static_cast<uint32_t>(error.rank) + 1).text(error.cause).text(error.hint);
    out.text(error.from);
}

Error decode_error(Decoder& in) {
    Error error;
    error.kind = decode_enum(in, ErrorKind::internal);
    error.operation = in.text();
    error.host = in.text();
    error.rank = static_cast<int>(in.number32() - 1);
    error.cause = in.text();
    error.hint = in.text();
    error.from = in.text();
    return error;
}

void encode_status(Encoder& out, const ExitStatus& status) {
    out.number(static_cast<uint64_t>(status.kind)).number(static_cast<uint32_t>(status.value));
    out.number(static_cast<uint64_t>(status.stage));
}

ExitStatus decode_status(Decoder& in) {
    ExitStatus status;
    status.kind = decode_enum(in, ExitStatus::Kind::stuck);
    status.value = static_cast<int32_t>(in.number32());
    status.stage = decode_enum(in, ExitStatus::Stage::last);
    return status;
}

}  // namespace

std::string Hello::encode() const {
    return Encoder{}.number(version).text(build_id).take();
}

std::optional<Hello> Hello::decode(std::string_view payload) {
    Decoder in(payload);
    Hello hello;
    hello.version = in.number32();
    hello.build_id = in.text();
    // Later versions may say more: this frame's beginning is what stays.
    if (!in.ok()) return std::nullopt;
    return hello;
}

std::string NodesMessage::encode() const {
    Encoder out;
    out.number(nodes.size());
    for (const NodeIndex node : nodes)
        out.number(node);
    return out.take();
}

std::optional<NodesMessage> NodesMessage::decode(std::string_view payload) {
    Decoder in(payload);
    NodesMessage message;
    const uint32_t count = in.count();
    for (uint32_t i = 0; in.ok() && i < count; ++i)
        message.nodes.push_back(in.number32());
    return checked(in, std::move(message));
}

std::optional<FailureMessage> FailureMessage::only(
    const std::function<std::vector<NodeRange>(NodeRange)>& keep) const {
    std::vector<NodeRange> kept;
    for (const NodeRange& range : nodes())
        for (const NodeRange& part : keep(range))
            kept.push_back(part);
    if (kept.empty()) return std::nullopt;
    FailureMessage message = *this;
    message.node = kept.front().first;
    if (message.node != node) {  // the cause is that of the first; the head knows the name of this
        const std::string first = std::exchange(message.error.host, {});
        message.error.cause = "lost with " + (first.empty() ? "a host above it" : first);
        message.error.hint.clear();
    }
    kept.front() = {message.node + 1, kept.front().count - 1};
    if (kept.front().count == 0) kept.erase(kept.begin());
    message.below = std::move(kept);
    return message;
}

std::string FailureMessage::encode() const {
    Encoder out;
    out.number(node).flag(was_up);
    encode_ranges(out, below);
    encode_error(out, error);
    encode_ranges(out, restarted);
    return out.number(restarted_as).number(generation).texts(hosts).take();
}

std::optional<FailureMessage> FailureMessage::decode(std::string_view payload) {
    Decoder in(payload);
    FailureMessage message;
    message.node = in.number32();
    message.was_up = in.flag();
    message.below = decode_ranges(in);
    message.error = decode_error(in);
    message.restarted = decode_ranges(in);
    message.restarted_as = in.number32();
    message.generation = in.number32();
    message.hosts = in.texts();
    return checked(in, std::move(message));
}

std::string ExitsMessage::encode() const {
    Encoder out;
    out.number(exits.size());
    for (const auto& [rank, status, detail] : exits) {
        out.number(rank);
        encode_status(out, status);
        out.text(detail);
    }
    return out.take();
}

std::optional<ExitsMessage> ExitsMessage::decode(std::string_view payload) {
    Decoder in(payload);
    ExitsMessage message;
    const uint32_t count = in.count();
    for (uint32_t i = 0; in.ok() && i < count; ++i) {
        RankExit exit;
        exit.rank = in.number32();
        exit.status = decode_status(in);
        exit.detail = in.text();
        message.exits.push_back(std::move(exit));
    }
    return checked(in, std::move(message));
}

std::string UnreadyMessage::encode() const {
    Encoder out;
    out.number(node).number(programs.size());
    for (const Program& program : programs) {
        out.number(program.index);
        encode_status(out, program.why.status);
        out.text(program.why.detail);
    }
    return out.number(port).take();
}

std::optional<UnreadyMessage> UnreadyMessage::decode(std::string_view payload) {
    Decoder in(payload);
    UnreadyMessage message;
    message.node = in.number32();
    const uint32_t count = in.count();
    for (uint32_t i = 0; in.ok() && i < count; ++i) {
        Program program;
        program.index = in.number32();
        program.why.status = decode_status(in);
        program.why.detail = in.text();
        message.programs.push_back(std::move(program));
    }
    const uint32_t port = in.number32();
    if (port > UINT16_MAX) in.fail();
    message.port = static_cast<uint16_t>(port);
    return checked(in, std::move(message));
}

std::string FaultMessage::encode() const {
    Encoder out;
    out.number(rank).number(static_cast<uint64_t>(kind)).number(static_cast<uint32_t>(value));
    return out.text(text).text(hint).take();
}

std::optional<FaultMessage> FaultMessage::decode(std::string_view payload) {
    Decoder in(payload);
    FaultMessage message;
    message.rank = in.number32();
    const uint64_t kind = in.number();
    if (kind > static_cast<uint64_t>(Kind::last)) in.fail();
    message.kind = static_cast<Kind>(kind);
    message.value = static_cast<int32_t>(in.number32());
    message.text = in.text();
    message.hint = in.text();
    return checked(in, std::move(message));
}

std::string NoticeMessage::encode() const {
    return Encoder{}
        .number(node)
        .flag(verbose_only)
        .text(text)
        .number(static_cast<uint64_t>(topic))
        .number(static_cast<uint32_t>(job))
        .text(host)
        .take();
}

std::optional<NoticeMessage> NoticeMessage::decode(std::string_view payload) {
    Decoder in(payload);
    NoticeMessage message;
    message.node = in.number32();
    message.verbose_only = in.flag();
    message.text = in.text();
    message.topic = decode_enum(in, NoticeMessage::Topic::last);
    message.job = JobNumber{in.number32()};
    message.host = in.text();
    return checked(in, std::move(message));
}

std::string OutputMessage::encode() const {
    return Encoder{}.number(rank).number(static_cast<uint64_t>(stream)).raw(bytes).take();
}

std::string OutputMessage::encode_for(JobNumber job) const {
    return Encoder{}
        .number(static_cast<uint32_t>(job))
        .number(rank)
        .number(static_cast<uint64_t>(stream))
        .raw(bytes)
        .take();
}

std::optional<OutputMessage> OutputMessage::decode(std::string_view payload) {
    Decoder in(payload);
    OutputMessage message;
    message.rank = in.number32();
    const uint64_t stream = in.number();
    if (stream < 1 || stream > static_cast<uint64_t>(Stream::ask)) return std::nullopt;
    message.stream = static_cast<Stream>(stream);
    message.bytes = in.rest();
    return checked(in, message);
}

std::string encode_number(uint64_t value) {
    return Encoder{}.number(value).take();
}

std::optional<uint64_t> decode_number(std::string_view payload) {
    Decoder in(payload);
    const uint64_t value = in.number();
    return checked(in, value);
}

}  // namespace launch
