#include "core/node/kept_frames.hpp"

#include "core/wire/codec.hpp"

namespace launch {

const std::string& KeptFrames::keep(FrameType type, std::string_view body) {
    ++sent_;
    unconfirmed_.push_back({sent_, type, Encoder{}.number(sent_).raw(body).take()});
    return unconfirmed_.back().payload;
}

std::optional<KeptFrames::Taken> KeptFrames::take(std::string_view payload) {
    Decoder in(payload);
    const uint64_t number = in.number();
    if (!in.ok() || number == 0 || number > received_ + 1) return std::nullopt;
    const bool fresh = number == received_ + 1;
    if (fresh) ++received_;
    owed_ += payload.size();
    return Taken{fresh, in.rest()};
}

bool KeptFrames::acknowledge(uint64_t count) {
    if (count > sent_) return false;
    while (!unconfirmed_.empty() && unconfirmed_.front().number <= count)
        unconfirmed_.pop_front();
    return true;
}

}  // namespace launch
