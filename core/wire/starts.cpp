// SPDX-License-Identifier: MIT
#include "core/wire/starts.hpp"

#include "core/base/codec.hpp"

namespace launch {

std::string StartsMessage::encode() const {
    Encoder out;
    out.number(by).number(hosts.size());
    for (const HostStart& host : hosts) {
        out.number(host.node).number(static_cast<uint64_t>(host.stage));
        for (const auto& time : host.began)
            out.number(time ? *time + 1 : 0);
    }
    return out.take();
}

std::optional<StartsMessage> StartsMessage::decode(std::string_view payload) {
    Decoder in(payload);
    StartsMessage message;
    message.by = in.number32();
    const uint32_t count = in.count();
    for (uint32_t i = 0; in.ok() && i < count; ++i) {
        HostStart host;
        host.node = in.number32();
        host.stage = decode_enum(in, StartStage::greeted);
        for (auto& time : host.began)
            if (const uint64_t value = in.number(); value > 0) time = value - 1;
        message.hosts.push_back(host);
    }
    return checked(in, std::move(message));
}

}  // namespace launch
