// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <termios.h>

namespace launch {

/// The modes that a terminal had before launch changed them, kept where more than one process sees
/// them: who is still there when launch ends puts them back. It is found by its name, since who
/// does so need not have it as its controlling terminal, and holds no descriptor of it.
class SavedTerminal {
  public:
    /// Call it before the modes are changed. False: the terminal has no name by which it could be
    /// found again.
    bool keep(int terminal);
    /// Puts the modes back, once after each keep().
    void restore();

  private:
    std::atomic<bool> changed_ = false;  ///< the others are complete
    std::array<char, 64> path_{};
    termios modes_{};
};

}  // namespace launch
