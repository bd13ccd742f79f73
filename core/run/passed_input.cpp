// SPDX-License-Identifier: MIT
#include "core/run/passed_input.hpp"

#include <algorithm>

namespace launch {

std::optional<PassedInput::Taken> PassedInput::take(InputPiece piece) {
    if (piece.offset > had_) return std::nullopt;
    const bool is_end = piece.bytes.empty();
    if (ended_ || (is_end ? piece.offset < had_ : piece.end() <= had_)) return Taken{};
    piece.bytes.remove_prefix(had_ - piece.offset);
    piece.offset = had_;
    had_ = piece.end();
    ended_ = is_end;
    if (!is_end) kept_.emplace_back(piece.bytes);
    return Taken{true, piece};
}

void PassedInput::forget(uint64_t before) {
    while (!kept_.empty() && first_ + kept_.front().size() <= before) {
        first_ += kept_.front().size();
        kept_.pop_front();
    }
}

std::optional<std::vector<InputPiece>> PassedInput::from(uint64_t offset) const {
    if (offset < first_) return std::nullopt;
    std::vector<InputPiece> pieces;
    uint64_t at = first_;
    for (const std::string& bytes : kept_) {
        const InputPiece piece{at, bytes};
        if (piece.end() > offset) pieces.push_back(piece);
        at = piece.end();
    }
    if (ended_) pieces.push_back({had_, {}});
    return pieces;
}

}  // namespace launch
