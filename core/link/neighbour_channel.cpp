// SPDX-License-Identifier: MIT
#include "core/link/neighbour_channel.hpp"

#include <utility>

#include "core/base/codec.hpp"

namespace launch {

const RetransmitBuffer::Entry& NeighbourChannel::add(FrameType type, std::string_view body) {
    return sent_.add(type, Encoder{}.number(sent_.next_number()).raw(body).take());
}

const std::string& NeighbourChannel::keep(FrameType type, std::string_view body) {
    return add(type, body).payload;
}

void NeighbourChannel::enqueue(FrameType type, MessageSource messages) {
    queue_.push_back({type, std::move(messages)});
}

void NeighbourChannel::enqueue(FrameType type, std::string body) {
    enqueue(type, [message = std::optional(std::move(body))]() mutable {
        return std::exchange(message, std::nullopt);
    });
}

const RetransmitBuffer::Entry* NeighbourChannel::next() {
    while (!queue_.empty() && sent_.bytes() < most_on_the_way) {
        const auto body = queue_.front().messages();
        if (body) return &add(queue_.front().type, *body);
        queue_.pop_front();
    }
    return nullptr;
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
