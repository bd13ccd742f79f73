// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace launch {

/// What happened in a session: the latest lines, each with its time. It is kept in memory, so that
/// nothing is left of it.
class SessionLog {
  public:
    void add(const std::string& line);
    std::vector<std::string> lines() const;

  private:
    std::vector<std::string> lines_;
    size_t oldest_ = 0;  ///< once all places are taken
};

}  // namespace launch
