// SPDX-License-Identifier: MIT
#include "core/head/user_side.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "core/head/signal_watch.hpp"
#include "core/io/blocking_writer.hpp"
#include "core/io/stdin_reader.hpp"

namespace launch {
namespace {

bool same_file(int a, int b) {
    struct stat sa {};
    struct stat sb {};
    return fstat(a, &sa) == 0 && fstat(b, &sb) == 0 && sa.st_dev == sb.st_dev &&
           sa.st_ino == sb.st_ino;
}

}  // namespace

Screen own_screen(const any_io_executor& executor) {
    Screen screen{std::make_unique<BlockingWriter>(executor, STDOUT_FILENO), nullptr};
    if (!same_file(STDOUT_FILENO, STDERR_FILENO))
        screen.err = std::make_unique<BlockingWriter>(executor, STDERR_FILENO);
    return screen;
}

UserSide own_user_side(const any_io_executor& executor) {
    return {own_screen(executor), std::make_unique<StdinReader>(executor),
            std::make_unique<SignalWatch>(executor)};
}

}  // namespace launch
