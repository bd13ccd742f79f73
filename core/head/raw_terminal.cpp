// SPDX-License-Identifier: MIT
#include "core/head/raw_terminal.hpp"

#include <termios.h>
#include <unistd.h>

#include "core/base/foreground.hpp"
#include "core/process/window_size.hpp"

namespace launch {

RawTerminal::RawTerminal(const Guard& guard)
    : saved_(guard.terminal() != nullptr ? *guard.terminal() : own_) {}

void RawTerminal::begin() {
    if (is_raw_ || is_in_background(STDIN_FILENO)) return;
    termios modes{};
    if (tcgetattr(STDIN_FILENO, &modes) != 0 || !saved_.keep(STDIN_FILENO)) return;
    cfmakeraw(&modes);
    is_raw_ = tcsetattr(STDIN_FILENO, TCSANOW, &modes) == 0;
}

void RawTerminal::end() {
    if (is_raw_) saved_.restore();
    is_raw_ = false;
}

WindowSize RawTerminal::window() const {
    return window_size(STDIN_FILENO);
}

}  // namespace launch
