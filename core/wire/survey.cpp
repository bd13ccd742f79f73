// SPDX-License-Identifier: MIT
#include "core/wire/survey.hpp"

#include "core/base/codec.hpp"

namespace launch {

std::string SurveyMessage::encode() const {
    Encoder out;
    out.number(node).number(survey).number(ranks.size());
    for (const RankState& each : ranks) {
        out.number(each.rank).number(each.pid).number(static_cast<unsigned char>(each.state));
        out.number(each.cpu_ms).number(each.resident_kib);
    }
    return out.take();
}

std::optional<SurveyMessage> SurveyMessage::decode(std::string_view payload) {
    Decoder in(payload);
    SurveyMessage message;
    message.node = in.number32();
    message.survey = in.number();
    const uint32_t count = in.count();
    for (uint32_t i = 0; in.ok() && i < count; ++i) {
        RankState state;
        state.rank = in.number32();
        state.pid = in.number32();
        state.state = static_cast<char>(in.number() & 0x7f);
        state.cpu_ms = in.number();
        state.resident_kib = in.number();
        message.ranks.push_back(state);
    }
    return checked(in, std::move(message));
}

}  // namespace launch
