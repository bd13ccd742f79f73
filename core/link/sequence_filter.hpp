// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace launch {

/// Numbered frames of one sender, each taken once and in order. Sans I/O.
class SequenceFilter {
  public:
    enum class Verdict : uint8_t {
        fresh,  ///< the next one
        known,  ///< came before: the link that brought it has taken the place of another
        early,  ///< one before it was lost with a link, and will come again, and this one too
    };
    /// Counts it if it is fresh.
    Verdict take(uint64_t number) {
        if (number <= received_) return Verdict::known;
        if (number > received_ + 1) return Verdict::early;
        ++received_;
        return Verdict::fresh;
    }
    /// The number of the last one that was fresh.
    uint64_t received() const { return received_; }

  private:
    uint64_t received_ = 0;
};

}  // namespace launch
