// SPDX-License-Identifier: MIT
#include "core/wire/stats.hpp"

#include "core/base/codec.hpp"

namespace launch {

FrameKind kind_of(FrameType type) {
    switch (type) {
        case FrameType::output: return FrameKind::output;
        case FrameType::input:
        case FrameType::input_wanted:
        case FrameType::input_refused: return FrameKind::input;
        case FrameType::segment:
        case FrameType::stage_wanted: return FrameKind::files;
        case FrameType::modex:
        case FrameType::peer: return FrameKind::modex;
        case FrameType::credit:
        case FrameType::ping:
        case FrameType::moved:
        case FrameType::attach:
        case FrameType::attached:
        case FrameType::resend:
        case FrameType::ack: return FrameKind::upkeep;
        default: return FrameKind::control;
    }
}

LinkCounts& LinkCounts::operator+=(const LinkCounts& other) {
    for (size_t i = 0; i < frame_kinds; ++i) {
        sent[i] += other.sent[i];
        received[i] += other.received[i];
    }
    return *this;
}

LinkCounts LinkCounts::since(const LinkCounts& other) const {
    const auto less = [](auto now, const auto& then) {
        for (size_t i = 0; i < frame_kinds; ++i)
            now[i] = {now[i].frames - then[i].frames, now[i].bytes - then[i].bytes};
        return now;
    };
    return {less(sent, other.sent), less(received, other.received)};
}

LinkCounts NodeStats::all_counts() const {
    LinkCounts all;
    for (const LinkCounts& phase : counts)
        all += phase;
    return all;
}

std::string NodeStats::encode() const {
    Encoder out;
    out.number(node).number(links).number(direct_links).number(attached);
    for (const LinkCounts& phase : counts)
        for (const auto* counted : {&phase.sent, &phase.received})
            for (const FrameCount& count : *counted)
                out.number(count.frames).number(count.bytes);
    return out.number(pushed)
        .number(pushed_bytes)
        .number(private_kib)
        .number(proportional_kib)
        .number(resident_kib)
        .number(cpu_us)
        .number(start_us)
        .number(up_us)
        .number(end_us)
        .take();
}

std::optional<NodeStats> NodeStats::decode(std::string_view payload) {
    Decoder in(payload);
    NodeStats stats;
    stats.node = in.number32();
    stats.links = in.number32();
    stats.direct_links = in.number32();
    stats.attached = in.number32();
    for (LinkCounts& phase : stats.counts)
        for (auto* counted : {&phase.sent, &phase.received})
            for (FrameCount& count : *counted) {
                count.frames = in.number();
                count.bytes = in.number();
            }
    stats.pushed = in.number32();
    stats.pushed_bytes = in.number();
    stats.private_kib = in.number();
    stats.proportional_kib = in.number();
    stats.resident_kib = in.number();
    stats.cpu_us = in.number();
    stats.start_us = in.number();
    stats.up_us = in.number();
    stats.end_us = in.number();
    return checked(in, stats);
}

}  // namespace launch
