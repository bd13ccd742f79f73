// SPDX-License-Identifier: MIT
#include "core/process/saved_terminal.hpp"

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

#include "core/base/fd.hpp"

namespace launch {

bool SavedTerminal::keep(int terminal) {
    if (changed_) return true;  // what it had first counts
    if (ttyname_r(terminal, path_.data(), path_.size()) != 0) return false;
    if (tcgetattr(terminal, &modes_) != 0) return false;
    changed_ = true;
    return true;
}

void SavedTerminal::restore() {
    if (!changed_.exchange(false)) return;
    // A worker that has lost its terminal to the shell is in the background, where setting modes
    // would stop it.
    sigset_t stops;
    sigset_t before;
    sigemptyset(&stops);
    sigaddset(&stops, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &stops, &before);
    const UniqueFd terminal(open(path_.data(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
    if (terminal) tcsetattr(terminal.get(), TCSANOW, &modes_);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace launch
