#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace launch {

/// Where the cursor of a terminal is: at the beginning of a line, or behind what a rank has begun.
/// No rank's output goes on in the line of another.
class OpenLine {
  public:
    /// What is to be written before these bytes of that rank.
    std::string_view before(uint32_t rank, std::string_view bytes) {
        if (bytes.empty()) return {};
        const bool others = rank_ && *rank_ != rank;
        rank_.reset();
        if (bytes.back() != '\n') rank_ = rank;
        return others ? "\n" : "";
    }

  private:
    std::optional<uint32_t> rank_;  ///< that has begun the line
};

}  // namespace launch
