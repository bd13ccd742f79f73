// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "core/base/clock.hpp"

namespace launch {

/// Notices of hosts that do not end the job. Equal ones of many hosts are printed once, folded.
class Notices {
  public:
    using Time = Clock::time_point;
    struct Line {
        std::string text;    ///< without "launch: "
        bool asked = false;  ///< the user has asked for it: --quiet does not keep it back

        bool operator==(const Line&) const = default;
    };

    /// `host`: empty where none is meant. `due`: until when others may still come that say the
    /// same; that of the first counts for all that are taken with it.
    void add(Line notice, std::string host, Time due);
    /// When to take what there is.
    Time due() const { return due_; }
    /// Returns and removes the lines that were added since the last call.
    std::vector<Line> take();

  private:
    std::vector<std::pair<Line, std::string>> notices_;
    Time due_ = Time::max();
};

}  // namespace launch
