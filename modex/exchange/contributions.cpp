// SPDX-License-Identifier: MIT
#include "modex/exchange/contributions.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace launch {

void Contributions::add(uint32_t of, std::string bytes) {
    bytes_ += bytes.size();
    const uint64_t size = bytes.size();
    parts_[of] = {std::move(bytes), size, std::nullopt};
}

bool Contributions::take(Piece piece, std::optional<NodeIndex> from, uint64_t limit) {
    const auto known = parts_.find(piece.of);
    const uint64_t here = known == parts_.end() ? 0 : known->second.bytes.size();
    if (known != parts_.end() && known->second.size != piece.size) return false;
    if (piece.offset > here) return false;
    const uint64_t had = here - piece.offset;
    const uint64_t fresh = piece.bytes.size() - std::min<uint64_t>(had, piece.bytes.size());
    if (fresh > limit - std::min(limit, bytes_)) return false;
    Part& part = known == parts_.end() ? parts_[piece.of] : known->second;
    if (known == parts_.end()) {
        part.size = piece.size;
        part.from = from;
        if (!piece.whole()) make_room(part, limit);
    }
    bytes_ += fresh;
    if (here == 0 && piece.whole()) {
        part.bytes = std::move(piece.bytes);
    } else if (fresh > 0) {
        part.bytes.append(piece.bytes, had);
    }
    return true;
}

/// Once, so that it is not copied whenever it grows.
void Contributions::make_room(Part& part, uint64_t limit) {
    if (part.size > most_room || part.size > limit - std::min(limit, room_)) return;
    room_ += part.size;
    part.bytes.reserve(part.size);
}

std::string Contributions::extract(uint32_t of) {
    auto node = parts_.extract(of);
    if (node.empty()) return {};
    bytes_ -= node.mapped().bytes.size();
    return std::move(node.mapped().bytes);
}

uint64_t Contributions::bytes_of(uint32_t of) const {
    const auto at = parts_.find(of);
    return at == parts_.end() ? 0 : at->second.bytes.size();
}

std::vector<Piece> Contributions::all_but(std::optional<NodeIndex> child) const {
    std::vector<Piece> pieces;
    for (const auto& [of, part] : parts_)
        if (part.is_for(child)) pieces.push_back({of, 0, part.size, part.bytes});
    return pieces;
}

std::vector<Piece> Contributions::next_batch(std::optional<NodeIndex> child,
                                             Position& position) const {
    PieceBatch batch;
    auto at = parts_.lower_bound(position.of);
    while (at != parts_.end() && !batch.full()) {
        const auto& [of, part] = *at;
        if (of != position.of) position = {of, 0};
        if (part.is_for(child)) {
            const std::string_view rest = std::string_view(part.bytes).substr(position.offset);
            position.offset += batch.add(of, position.offset, part.size, rest);
            if (position.offset < part.size) continue;  // the batch is full
        }
        position = {of + 1, 0};
        ++at;
    }
    return batch.take();
}

std::string Contributions::joined() const {
    std::string all;
    all.reserve(bytes_);
    for (const auto& [of, part] : parts_)
        if (part.whole()) all += part.bytes;
    return all;
}

}  // namespace launch
