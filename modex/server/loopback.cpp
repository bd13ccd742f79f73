// SPDX-License-Identifier: MIT
#include "modex/server/loopback.hpp"

#include <cerrno>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace launch {
namespace {

struct Address {
    sockaddr_in in{};
    socklen_t size = sizeof in;

    explicit Address(uint16_t port) {
        in.sin_family = AF_INET;
        in.sin_port = htons(port);
        in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    }
    sockaddr* get() { return reinterpret_cast<sockaddr*>(&in); }
};

UniqueFd open_socket() {
    return UniqueFd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

/// Each message is small and waited for.
void send_at_once(int socket) {
    const int on = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

}  // namespace

Result<LoopbackListener> listen_on_loopback() {
    UniqueFd socket = open_socket();
    Address address(0);
    if (!socket || bind(socket.get(), address.get(), address.size) != 0 ||
        listen(socket.get(), SOMAXCONN) != 0 ||
        getsockname(socket.get(), address.get(), &address.size) != 0)
        return os_error("listen on 127.0.0.1", errno);
    return LoopbackListener{std::move(socket), ntohs(address.in.sin_port)};
}

UniqueFd accept_on_loopback(int listener) {
    UniqueFd socket(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (socket) send_at_once(socket.get());
    return socket;
}

Result<UniqueFd> connect_to_loopback(uint16_t port) {
    UniqueFd socket = open_socket();
    Address address(port);
    const bool begun =
        socket && (connect(socket.get(), address.get(), address.size) == 0 || errno == EINPROGRESS);
    if (!begun) return os_error("connect to 127.0.0.1:" + std::to_string(port), errno);
    send_at_once(socket.get());
    return socket;
}

int connect_error(int socket) {
    int error = 0;
    socklen_t size = sizeof error;
    return getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

}  // namespace launch
