// SPDX-License-Identifier: MIT
#include "transports/ssh/attempt.hpp"

#include <algorithm>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace launch {

void Attempt::give_up() {
    const std::lock_guard lock(mutex_);
    given_up_ = true;
    for (const int fd : guarded_)
        ::shutdown(fd, SHUT_RDWR);
}

Attempt::Guard::Guard(Attempt& attempt, int socket)
    : attempt_(attempt), fd_(::fcntl(socket, F_DUPFD_CLOEXEC, 3)) {
    const std::lock_guard lock(attempt_.mutex_);
    attempt_.guarded_.push_back(fd_);
    if (attempt_.given_up_) shut_down();
}

Attempt::Guard::~Guard() {
    {
        const std::lock_guard lock(attempt_.mutex_);
        auto& guarded = attempt_.guarded_;
        guarded.erase(std::remove(guarded.begin(), guarded.end(), fd_), guarded.end());
    }
    if (fd_ >= 0) ::close(fd_);
}

void Attempt::Guard::shut_down() const {
    ::shutdown(fd_, SHUT_RDWR);
}

}  // namespace launch
