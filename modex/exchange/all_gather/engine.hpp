// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "modex/exchange/all_gather/schedule.hpp"

namespace launch {

/// One node's part in an all-gather by any schedule. Bytes are sent in the order of the schedule,
/// as soon as they are there. A message ends when it is full or when its step ends, so large
/// contributions are forwarded while they arrive, and small ones take one message a step. Bytes of
/// a later step that arrive early are put in their position. Memory: the bytes that have arrived,
/// at most `limit`, and some numbers for each node and step.
class AllGather {
  public:
    /// Node `self` of `nodes`. `limit`: all contributions, in bytes.
    AllGather(AllGatherSchedule schedule, uint32_t self, uint32_t nodes, std::string own,
              uint64_t limit);

    struct Message {
        uint32_t peer = 0;
        uint32_t step = 0;
        std::vector<Piece> pieces;
    };
    /// The next one that may go, if any; each once.
    std::optional<Message> next();
    /// False: not what the schedule has come from that peer, in that step, next.
    bool take(uint32_t peer, uint32_t step, const std::vector<Piece>& pieces);
    /// Whether all contributions are here. Then the rest may be sent, up to the last message.
    bool done() const { return missing_ == 0; }
    /// All contributions in the order of the nodes, once.
    std::string take_contributions();

  private:
    struct Contribution {
        std::string bytes;
        uint64_t size = 0;
        bool announced = false;  ///< `size` is known
    };
    struct Cursor {
        uint32_t step = 0;
        uint32_t place = 0;  ///< in the transfer
        uint64_t offset = 0;
    };
    bool place(const Transfer& transfer, uint32_t& at, const Piece& piece);
    bool announce(Contribution& contribution, uint64_t size);
    uint32_t number_of(const Transfer& transfer, uint32_t place) const;
    bool fill(const Transfer& transfer, Cursor& at, PieceBatch& batch) const;

    const AllGatherSchedule schedule_;
    std::vector<Contribution> all_;   ///< by node
    std::vector<uint32_t> received_;  ///< by step, how many whole ones it has brought
    Cursor sent_;
    uint32_t missing_;
    uint64_t left_;  ///< of the limit
};

}  // namespace launch
