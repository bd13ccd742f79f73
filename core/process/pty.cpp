// SPDX-License-Identifier: MIT
#include "core/process/pty.hpp"

#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include "core/process/window_size.hpp"

namespace launch {
namespace {

/// The size for a user whose window is unknown.
constexpr WindowSize usual_size{24, 80};

}  // namespace

FdPair make_pty(WindowSize size) {
    UniqueFd screen(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
    std::array<char, 64> name{};
    const bool usable = screen && grantpt(screen.get()) == 0 && unlockpt(screen.get()) == 0 &&
                        ptsname_r(screen.get(), name.data(), name.size()) == 0;
    if (!usable) return {};
    UniqueFd programs(open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC));
    if (!programs) return {};
    termios modes{};
    if (tcgetattr(programs.get(), &modes) == 0) {
        modes.c_iflag |= IUTF8;  // a key takes back a letter, however many bytes that has
        tcsetattr(programs.get(), TCSANOW, &modes);
    }
    set_window_size(programs.get(), size == WindowSize{} ? usual_size : size);
    return {std::move(screen), std::move(programs)};
}

}  // namespace launch
