#include "core/link/neighbour_channel.hpp"

#include "core/base/codec.hpp"

namespace launch {

const std::string& NeighbourChannel::keep(FrameType type, std::string_view body) {
    return sent_.add(type, Encoder{}.number(sent_.next_number()).raw(body).take()).payload;
}

std::optional<NeighbourChannel::Taken> NeighbourChannel::take(std::string_view payload) {
    Decoder in(payload);
    const uint64_t number = in.number();
    if (!in.ok() || number == 0) return std::nullopt;
    const auto verdict = filter_.take(number);
    if (verdict == SequenceFilter::Verdict::early) return std::nullopt;
    owed_ += payload.size();
    return Taken{verdict == SequenceFilter::Verdict::fresh, in.rest()};
}

}  // namespace launch
