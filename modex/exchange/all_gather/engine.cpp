// SPDX-License-Identifier: MIT
#include "modex/exchange/all_gather/engine.hpp"

#include <algorithm>
#include <utility>

namespace launch {

AllGather::AllGather(AllGatherSchedule schedule, uint32_t self, uint32_t nodes, std::string own,
                     uint64_t limit)
    : schedule_(schedule),
      all_(nodes),
      received_(schedule_.steps()),
      missing_(nodes - 1),
      left_(limit - std::min<uint64_t>(limit, own.size())) {
    const uint64_t size = own.size();
    all_[self] = {std::move(own), size, true};
}

uint32_t AllGather::number_of(const Transfer& transfer, uint32_t place) const {
    return static_cast<uint32_t>((uint64_t{transfer.first} + place) % all_.size());
}

/// Adds what is there. True: there is no more of the transfer.
bool AllGather::fill(const Transfer& transfer, Cursor& at, PieceBatch& batch) const {
    while (at.place < transfer.count && !batch.full()) {
        const uint32_t number = number_of(transfer, at.place);
        const Contribution& each = all_[number];
        const bool there = at.offset < each.bytes.size() || each.size == 0;
        if (!each.announced || !there) return false;
        const std::string_view rest = std::string_view(each.bytes).substr(at.offset);
        at.offset += batch.add(number, at.offset, each.size, rest);
        if (at.offset < each.size) continue;
        ++at.place;
        at.offset = 0;
    }
    return at.place == transfer.count;
}

std::optional<AllGather::Message> AllGather::next() {
    for (; sent_.step < schedule_.steps(); ++sent_.step) {
        const auto send = schedule_.step(sent_.step).send;
        if (!send) continue;
        PieceBatch batch;
        Cursor at = sent_;
        const bool ends = fill(*send, at, batch);
        if (!ends && !batch.full()) return std::nullopt;
        const uint32_t step = sent_.step;
        sent_ = ends ? Cursor{step + 1, 0, 0} : at;
        return Message{send->peer, step, batch.take()};
    }
    return std::nullopt;
}

bool AllGather::take(uint32_t peer, uint32_t step, const std::vector<Piece>& pieces) {
    if (step >= received_.size() || pieces.empty()) return false;
    const auto receive = schedule_.step(step).receive;
    if (!receive || receive->peer != peer) return false;
    return std::all_of(pieces.begin(), pieces.end(),
                       [&](const Piece& piece) { return place(*receive, received_[step], piece); });
}

bool AllGather::announce(Contribution& contribution, uint64_t size) {
    if (contribution.announced) return contribution.size == size;
    if (size > left_) return false;
    left_ -= size;
    contribution.size = size;
    contribution.announced = true;
    if (size <= most_room) contribution.bytes.reserve(size);
    return true;
}

bool AllGather::place(const Transfer& transfer, uint32_t& at, const Piece& piece) {
    if (at == transfer.count || piece.of != number_of(transfer, at)) return false;
    Contribution& each = all_[piece.of];
    const bool moves = !piece.bytes.empty() || piece.size == 0;
    if (!moves || piece.offset != each.bytes.size()) return false;
    if (!announce(each, piece.size)) return false;
    each.bytes += piece.bytes;
    if (each.bytes.size() < each.size) return true;
    ++at;
    --missing_;
    return true;
}

std::string AllGather::take_contributions() {
    uint64_t size = 0;
    for (const Contribution& each : all_)
        size += each.bytes.size();
    std::string all;
    all.reserve(size);
    for (Contribution& each : all_)
        all += std::exchange(each.bytes, {});
    return all;
}

}  // namespace launch
