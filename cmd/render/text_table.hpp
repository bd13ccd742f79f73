// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace launch {

/// Columns as wide as their widest cell, the last one as it is.
class TextTable {
  public:
    void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
    std::string text() const {
        std::vector<size_t> widths;
        for (const auto& row : rows_) {
            widths.resize(std::max(widths.size(), row.size()));
            for (size_t i = 0; i < row.size(); ++i)
                widths[i] = std::max(widths[i], row[i].size());
        }
        std::string text;
        for (const auto& row : rows_) {
            std::string line;
            for (size_t i = 0; i < row.size(); ++i) {
                line += row[i];
                if (i + 1 < row.size()) line.append(widths[i] + 2 - row[i].size(), ' ');
            }
            text += line + "\n";
        }
        return text;
    }

  private:
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace launch
