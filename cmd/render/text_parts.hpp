// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace launch {

/// A size for people, rounded down: "512 B", "1.5 KiB", "5 MiB", "20 GiB". Sizes below 10 of a unit
/// have a decimal if it is not 0.
std::string size_text(uint64_t bytes);

/// A duration for people, rounded down: "0.42 s", "12.5 s", "119 s", "2 min 5 s", "3 h", "2 days".
std::string time_text(uint64_t microseconds);

/// Columns as wide as their widest cell, the last one as it is.
class TextTable {
  public:
    void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
    std::string text() const;

  private:
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace launch
