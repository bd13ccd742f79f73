// SPDX-License-Identifier: MIT
#include "core/wire/survey.hpp"

#include <utility>

#include "core/wire/run_codec.hpp"
#include "core/wire/time_codec.hpp"

namespace launch {
namespace {

void encode_state(Encoder& out, const RankState& state) {
    out.number(state.node).number(state.rank).number(state.pid);
    out.number(static_cast<unsigned char>(state.state));
    out.number(state.cpu_ms).number(state.resident_kib).number(state.thread_cpu_ms);
}

RankState decode_state(Decoder& in) {
    RankState state;
    state.node = in.number32();
    state.rank = in.number32();
    state.pid = in.number32();
    state.state = static_cast<char>(in.number() & 0x7f);
    state.cpu_ms = in.number();
    state.resident_kib = in.number();
    state.thread_cpu_ms = in.number();
    return state;
}

}  // namespace

std::string SurveyOrder::encode() const {
    Encoder out;
    out.number(survey).number(static_cast<uint64_t>(subject));
    encode_ms(out, limit);
    encode_runs(out, ranks);
    return out.take();
}

std::optional<SurveyOrder> SurveyOrder::decode(std::string_view payload) {
    Decoder in(payload);
    SurveyOrder order;
    order.survey = in.number();
    order.subject = decode_enum(in, Subject::last);
    order.limit = decode_ms(in);
    order.ranks = decode_runs(in);
    return checked(in, std::move(order));
}

void SurveyMessage::merge(SurveyMessage other) {
    nodes.insert(nodes.end(), other.nodes.begin(), other.nodes.end());
    ranks.insert(ranks.end(), other.ranks.begin(), other.ranks.end());
    stacks.merge(std::move(other.stacks));
}

std::string SurveyMessage::encode() const {
    Encoder out;
    out.number(survey).number(nodes.size());
    for (const NodeIndex node : nodes)
        out.number(node);
    out.number(ranks.size());
    for (const RankState& each : ranks)
        encode_state(out, each);
    stacks.encode(out);
    return out.take();
}

std::optional<SurveyMessage> SurveyMessage::decode(std::string_view payload) {
    Decoder in(payload);
    SurveyMessage message;
    message.survey = in.number();
    const uint32_t nodes = in.count();
    for (uint32_t i = 0; in.ok() && i < nodes; ++i)
        message.nodes.push_back(in.number32());
    const uint32_t ranks = in.count();
    for (uint32_t i = 0; in.ok() && i < ranks; ++i)
        message.ranks.push_back(decode_state(in));
    message.stacks = StackGroups::decode(in);
    return checked(in, std::move(message));
}

}  // namespace launch
