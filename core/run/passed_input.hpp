// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/wire/input_messages.hpp"

namespace launch {

/// The part of a job's standard input that a node has: in order and each byte once, whichever
/// parent it comes from. Input that nodes below may not have yet is kept for nodes that move here
/// because the one between was lost together with its unsent input. Sans I/O.
class PassedInput {
  public:
    struct Taken {
        bool fresh = false;  ///< some of it had not come before
        InputPiece piece;    ///< that
    };
    /// Nothing: it misses what comes before it.
    std::optional<Taken> take(InputPiece piece);
    /// All before has come here.
    uint64_t had() const { return had_; }
    /// Nobody below asks for what comes before.
    void forget(uint64_t before);
    /// All from there on that has come, the end too; to be used before anything else is called.
    /// Nothing: some of it is not here any more.
    std::optional<std::vector<InputPiece>> from(uint64_t offset) const;
    /// Bytes that are kept.
    size_t kept() const { return had_ - first_; }

  private:
    std::deque<std::string> kept_;
    uint64_t first_ = 0;  ///< where what is kept begins
    uint64_t had_ = 0;
    bool ended_ = false;
};

}  // namespace launch
