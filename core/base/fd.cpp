// SPDX-License-Identifier: MIT
#include "core/base/fd.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace launch {

void UniqueFd::reset(int fd) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = fd;
}

FdPair make_pipe() {
    int fds[2];
    if (::pipe2(fds, O_CLOEXEC) != 0) return {};
    return {UniqueFd(fds[0]), UniqueFd(fds[1])};
}

FdPair make_socket_pair() {
    int fds[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) return {};
    return {UniqueFd(fds[0]), UniqueFd(fds[1])};
}

}  // namespace launch
