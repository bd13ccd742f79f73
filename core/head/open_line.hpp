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
    /// What is to be written before these bytes of that rank of a space (RankName).
    std::string_view before(uint32_t space, uint32_t rank, std::string_view bytes) {
        if (bytes.empty()) return {};
        const std::pair writer{space, rank};
        const bool others = writer_ && *writer_ != writer;
        writer_.reset();
        if (bytes.back() != '\n') writer_ = writer;
        return others ? "\n" : "";
    }
    /// What is to be written before a line of launch's own.
    std::string_view before_line() { return std::exchange(writer_, std::nullopt) ? "\n" : ""; }

  private:
    std::optional<std::pair<uint32_t, uint32_t>> writer_;  ///< that has begun the line
};

}  // namespace launch
