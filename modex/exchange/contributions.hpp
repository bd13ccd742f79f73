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

/// What nodes contribute to a fence, put together from pieces. Where nodes are lost the same may
/// come over several ways: each contribution is kept once. The order of one way is kept, and each
/// begins at the beginning.
class Contributions {
  public:
    /// This node's own, whole.
    void add(uint32_t of, std::string bytes);
    /// False: not what may follow, or with it there would be more than `limit` bytes.
    bool take(Piece piece, std::optional<NodeIndex> from, uint64_t limit = UINT64_MAX);
    /// Gives it away; empty: there is none.
    std::string extract(uint32_t of);

    uint64_t bytes() const { return bytes_; }
    uint64_t bytes_of(uint32_t of) const;
    /// The whole ones that have not come from `child`.
    std::vector<Piece> all_but(std::optional<NodeIndex> child) const;
    /// Where somebody who is told them in batches is.
    struct Position {
        uint32_t of = 0;  ///< the contribution that is next, or the first that is there after it
        uint64_t offset = 0;  ///< of its bytes
    };
    /// The same in batches, beginning at the position, which goes on; empty: those were all.
    std::vector<Piece> next_batch(std::optional<NodeIndex> child, Position& position) const;
    /// All whole ones, end to end.
    std::string joined() const;

  private:
    struct Part {
        std::string bytes;
        uint64_t size = 0;
        std::optional<NodeIndex> from;

        bool whole() const { return bytes.size() == size; }
        /// To be told to `child`, or to whoever that is.
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
