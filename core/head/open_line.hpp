// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace launch {

/// Where the cursor of a terminal is: at the beginning of a line, or behind what a rank has begun.
/// Nobody's output goes on in the line of a rank.
class OpenLine {
  public:
    /// Returns what the console writes before these bytes, which a rank of that job wrote (space 0:
    /// the job itself; others: spawned ones).
    std::string_view before(uint32_t space, uint32_t rank, std::string_view bytes) {
        if (bytes.empty()) return {};
        const std::pair writer{space, rank};
        const bool others = writer_ && *writer_ != writer;
        writer_.reset();
        if (bytes.back() != '\n') writer_ = writer;
        return others ? "\n" : "";
    }
    /// Returns what the console writes before a line of launch itself.
    std::string_view before_line() { return std::exchange(writer_, std::nullopt) ? "\n" : ""; }

  private:
    std::optional<std::pair<uint32_t, uint32_t>> writer_;  ///< that has begun the line
};

}  // namespace launch
