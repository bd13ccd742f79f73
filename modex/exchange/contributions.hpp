// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/topology.hpp"
#include "modex/exchange/gather_messages.hpp"

namespace launch {

/// The contributions of nodes to a fence, joined from pieces. Where nodes are lost, the same
/// contribution may arrive over several paths: each is kept once. Pieces of one path arrive in
/// order, and each contribution starts at its beginning.
class Contributions {
  public:
    /// This node's own, whole.
    void add(uint32_t of, std::string bytes);
    /// False: not what may follow, or with it there would be more than `limit` bytes.
    bool take(Piece piece, std::optional<NodeIndex> from, uint64_t limit = UINT64_MAX);
    /// Moves the contribution out; empty if none has come.
    std::string extract(uint32_t of);

    uint64_t bytes() const { return bytes_; }
    uint64_t bytes_of(uint32_t of) const;
    /// The whole ones that have not come from `child`.
    std::vector<Piece> all_but(std::optional<NodeIndex> child) const;
    /// The position of a receiver that gets the contributions in batches.
    struct Position {
        uint32_t of = 0;  ///< the contribution that is next, or the first that is there after it
        uint64_t offset = 0;  ///< of its bytes
    };
    /// The next batch from the position, which advances; empty: nothing is left.
    std::vector<Piece> next_batch(std::optional<NodeIndex> child, Position& position) const;
    /// All whole ones, end to end.
    std::string joined() const;

  private:
    struct Part {
        std::string bytes;
        uint64_t size = 0;
        std::optional<NodeIndex> from;

        bool whole() const { return bytes.size() == size; }
        /// Whether `child` gets this contribution; without `child`, whether it is whole.
        bool is_for(std::optional<NodeIndex> child) const {
            return whole() && (!child || from != child);
        }
    };
    void make_room(Part& part, uint64_t limit);

    std::map<uint32_t, Part> parts_;
    uint64_t bytes_ = 0;
    uint64_t room_ = 0;  ///< bytes that it was made for
};

}  // namespace launch
