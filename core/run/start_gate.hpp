// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace launch {

/// The conditions for which the ranks of a node wait once they are known, and what they are offered
/// then: that is prepared last. Sans I/O.
class StartGate {
  public:
    enum class Lock : uint8_t {
        files = 1,  ///< the job's files are not here yet
        word = 2,   ///< the head has not said yet that all is ready
        look = 4,   ///< whether they can start is still looked at
    };
    enum class Next : uint8_t {
        wait,
        prepare,  ///< what ranks are offered; prepared() follows
        start,    ///< or end, where ranks are not to run
    };

    void close(Lock lock) { locks_ |= static_cast<uint8_t>(lock); }
    void open(Lock lock) { locks_ &= static_cast<uint8_t>(~static_cast<uint8_t>(lock)); }
    void prepared() { offer_ = Offer::there; }
    bool is_open() const { return locks_ == 0 && offer_ != Offer::asked; }

    /// The next step. `will_run`: ranks are to be started here, for which something has to be
    /// prepared, once.
    Next next(bool will_run) {
        if (!is_open()) return Next::wait;
        if (!will_run || offer_ == Offer::there) return Next::start;
        offer_ = Offer::asked;
        return Next::prepare;
    }

  private:
    enum class Offer : uint8_t { none, asked, there };

    uint8_t locks_ = 0;
    Offer offer_ = Offer::none;
};

}  // namespace launch
