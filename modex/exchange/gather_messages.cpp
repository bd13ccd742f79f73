#include "modex/exchange/gather_messages.hpp"

#include <algorithm>
#include <utility>

namespace launch {
namespace {

/// About what a piece costs besides its bytes.
constexpr size_t piece_head = 16;

}  // namespace

size_t PieceBatch::add(uint32_t of, uint64_t offset, uint64_t size, std::string_view rest) {
    const std::string_view part = rest.substr(0, limit - std::min(limit, size_));
    pieces_.push_back({of, offset, size, std::string(part)});
    size_ += part.size() + piece_head;
    return part.size();
}

std::vector<Piece> PieceBatch::take() {
    size_ = 0;
    return std::exchange(pieces_, {});
}

}  // namespace launch
