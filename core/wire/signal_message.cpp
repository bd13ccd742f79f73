// SPDX-License-Identifier: MIT
#include "core/wire/signal_message.hpp"

#include <csignal>

#include "core/base/codec.hpp"
#include "core/wire/run_codec.hpp"

namespace launch {

std::string SignalMessage::encode() const {
    Encoder out;
    out.number(static_cast<uint64_t>(signal));
    if (!ranks.empty()) encode_runs(out, ranks);
    return out.take();
}

std::optional<SignalMessage> SignalMessage::decode(std::string_view payload) {
    Decoder in(payload);
    const uint64_t signal = in.number();
    if (signal >= NSIG) in.fail();
    SignalMessage message{static_cast<int>(signal)};
    if (in.ok() && !in.done()) {
        message.ranks = decode_runs(in);
        if (message.ranks.empty()) in.fail();  // that would be all
    }
    return checked(in, std::move(message));
}

}  // namespace launch
