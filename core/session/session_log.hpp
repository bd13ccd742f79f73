// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace launch {

/// The events of a session: the latest lines, each with its time. They are kept in memory, so that
/// no file is left.
class SessionLog {
  public:
    void add(const std::string& line);
    std::vector<std::string> lines() const;

  private:
    std::vector<std::string> lines_;
    size_t oldest_ = 0;  ///< once all places are taken
};

}  // namespace launch
