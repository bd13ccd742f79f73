// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace launch {

/// How the contributions to a fence reach all nodes: along the tree, or by links between any two
/// nodes (all_gather/).
enum class GatherWay : uint8_t { tree, ring, bruck, doubling };

/// Room is made for a contribution when its first piece comes, if it is no larger than this.
inline constexpr uint64_t most_room = 256u << 20;

/// A part of what one node contributes to a fence, or all of it. One that was decoded lies within
/// the whole.
struct Piece {
    uint32_t of = 0;      ///< along the tree a rank of the node's, among peers its number
    uint64_t offset = 0;  ///< of these bytes
    uint64_t size = 0;    ///< of the whole contribution
    std::string bytes;

    bool whole() const { return bytes.size() == size; }
};

/// Down: all ranks have joined, and what did not come along with the fence is to go this way.
struct GatherOrder {
    uint64_t sequence = 0;    ///< of the fence
    uint32_t attempt = 0;     ///< at this fence, from 1; what is of an earlier one is void
    GatherWay way{};          ///< the tree: everybody says up what he contributes
    uint32_t nodes = 0;       ///< peers, if they are to do it
    uint64_t bytes = 0;       ///< all contributions, at most
    bool peers_lost = false;  ///< for good: no other fence will go among peers
};

/// Up: how it goes among the peers. Done: in the whole subtree all have come. Or it cannot be done.
struct GatherReport {
    uint64_t sequence = 0;
    uint32_t attempt = 0;
    bool done = false;
};

/// Along the tree: up those of the subtree, down all others.
struct GatherPieces {
    uint64_t sequence = 0;
    uint32_t attempt = 0;
    bool last = false;
    std::vector<Piece> pieces;
};

/// Among peers: the next ones of what this step of the schedule is to bring.
struct PeerPieces {
    uint64_t sequence = 0;
    uint32_t attempt = 0;
    uint32_t step = 0;
    std::vector<Piece> pieces;
};

/// Pieces for one message: not more than a link may take its time for, so that what is large can be
/// passed on while it comes.
class PieceBatch {
  public:
    /// The contribution's bytes from `offset` on, of which `rest` are there: as many as fit.
    /// Returns how many.
    size_t add(uint32_t of, uint64_t offset, uint64_t size, std::string_view rest) {
        const std::string_view part = rest.substr(0, limit - std::min(limit, size_));
        pieces_.push_back({of, offset, size, std::string(part)});
        size_ += part.size() + piece_head;
        return part.size();
    }
    bool full() const { return size_ >= limit; }
    bool empty() const { return pieces_.empty(); }
    std::vector<Piece> take() {
        size_ = 0;
        return std::exchange(pieces_, {});
    }

    static constexpr size_t limit = 256u << 10;

  private:
    static constexpr size_t piece_head = 16;  ///< about what a piece costs besides its bytes

    std::vector<Piece> pieces_;
    size_t size_ = 0;
};

}  // namespace launch
