// SPDX-License-Identifier: MIT
#include "core/wire/costs.hpp"

#include "core/base/codec.hpp"

namespace launch {

std::string CostsMessage::encode() const {
    Encoder out;
    out.number(ranks.size());
    for (const RankCost& cost : ranks) {
        out.number(cost.rank).number(cost.pid).number(cost.start_us).number(cost.end_us);
        out.number(cost.cpu_us).number(cost.peak_kib);
        out.number(cost.out_bytes).number(cost.err_bytes);
    }
    return out.take();
}

std::optional<CostsMessage> CostsMessage::decode(std::string_view payload) {
    Decoder in(payload);
    CostsMessage message;
    const uint32_t count = in.count();
    for (uint32_t i = 0; in.ok() && i < count; ++i) {
        RankCost cost;
        cost.rank = in.number32();
        cost.pid = in.number32();
        cost.start_us = in.number();
        cost.end_us = in.number();
        cost.cpu_us = in.number();
        cost.peak_kib = in.number();
        cost.out_bytes = in.number();
        cost.err_bytes = in.number();
        message.ranks.push_back(cost);
    }
    return checked(in, std::move(message));
}

}  // namespace launch
