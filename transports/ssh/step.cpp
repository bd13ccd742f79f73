// SPDX-License-Identifier: MIT
#include "transports/ssh/step.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

namespace launch {

/// sshd sends its first packets under Nagle's algorithm: it holds the answer back until we
/// acknowledge what it sent before, and we must not wait with that for 40 ms. (The kernel forgets
/// the option: it is set for each wait.)
bool wait_for_server(const LibSsh& lib, ssh_session session, const Attempt& attempt) {
    if (attempt.given_up() || lib.ssh_is_connected(session) == 0) return false;
    const int fd = lib.ssh_get_fd(session);
    const int on = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_QUICKACK, &on, sizeof on);
    const bool unsent = (lib.ssh_get_status(session) & SSH_WRITE_PENDING) != 0;
    const short wanted = unsent ? POLLIN | POLLOUT : POLLIN;
    pollfd socket{fd, wanted, 0};
    ::poll(&socket, 1, -1);  // the attempt's end shuts the socket down
    return true;
}

}  // namespace launch
