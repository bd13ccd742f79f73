// SPDX-License-Identifier: MIT
#pragma once

#include "core/job/output_choice.hpp"
#include "core/process/guard.hpp"
#include "core/process/saved_terminal.hpp"

namespace launch {

/// The user's terminal while a rank has it (--pty): each key goes to the rank as it is. Whatever
/// ends this process, the terminal gets its modes back: from here, or from the guard.
class RawTerminal {
  public:
    explicit RawTerminal(const Guard& guard);
    ~RawTerminal() { end(); }
    RawTerminal(const RawTerminal&) = delete;
    RawTerminal& operator=(const RawTerminal&) = delete;

    void begin();
    void end();
    bool is_raw() const { return is_raw_; }
    WindowSize window() const;

  private:
    SavedTerminal own_;  ///< where no guard keeps it
    SavedTerminal& saved_;
    bool is_raw_ = false;
};

}  // namespace launch
