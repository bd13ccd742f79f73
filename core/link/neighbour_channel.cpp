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
    queue_.push_back({type, {}, std::move(messages)});
}

void NeighbourChannel::enqueue(FrameType type, std::string body) {
    queue_.push_back({type, std::move(body), {}});
}

const RetransmitBuffer::Entry* NeighbourChannel::next() {
    while (!queue_.empty() && sent_.bytes() < most_on_the_way) {
        Queued& first = queue_.front();
        const FrameType type = first.type;
        const auto body = first.messages ? first.messages() : std::move(first.message);
        const bool is_over = !first.messages || !body;
        if (is_over) queue_.pop_front();
        if (body) return &add(type, *body);
    }
    return nullptr;
}

std::vector<std::string> NeighbourChannel::said_since(uint64_t number, FrameType type) const {
    std::vector<std::string> bodies;
    for (const auto& entry : sent_.entries()) {
        if (entry.number <= number || entry.type != type) continue;
        Decoder in(entry.payload);
        in.number();
        bodies.emplace_back(in.rest());
    }
    for (const Queued& each : queue_)
        if (!each.messages && each.type == type) bodies.push_back(each.message);
    return bodies;
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
