// SPDX-License-Identifier: MIT
#include "transports/direct/listen.hpp"

#include <arpa/inet.h>
#include <cerrno>
#include <netinet/in.h>
#include <sys/socket.h>

namespace launch {
namespace {

constexpr int backlog = 1024;  // a node may have as many children, who may all come at once

union Address {
    sockaddr any;
    sockaddr_in v4;
    sockaddr_in6 v6;
};

socklen_t fill(Address& address, int family, uint16_t port, bool this_machine) {
    address = {};
    if (family == AF_INET6) {
        address.v6.sin6_family = AF_INET6;
        address.v6.sin6_addr = in6addr_any;
        address.v6.sin6_port = htons(port);
        return sizeof address.v6;
    }
    address.v4.sin_family = AF_INET;
    address.v4.sin_addr.s_addr = htonl(this_machine ? INADDR_LOOPBACK : INADDR_ANY);
    address.v4.sin_port = htons(port);
    return sizeof address.v4;
}

uint16_t port_of(int socket) {
    Address address{};
    socklen_t size = sizeof address;
    if (getsockname(socket, &address.any, &size) != 0) return 0;
    return ntohs(address.any.sa_family == AF_INET6 ? address.v6.sin6_port : address.v4.sin_port);
}

/// 0, or why not.
int bind_and_listen(int socket, int family, uint16_t port, bool this_machine) {
    Address address{};
    const socklen_t size = fill(address, family, port, this_machine);
    if (bind(socket, &address.any, size) != 0) return errno;
    return ::listen(socket, backlog) == 0 ? 0 : errno;
}

UniqueFd open_socket(int family) {
    UniqueFd fd(socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!fd) return fd;
    const int off = 0;
    const int on = 1;  // what remains of links of an earlier job keeps no port from this one
    setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (family == AF_INET6) setsockopt(fd.get(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    return fd;
}

}  // namespace

Result<Listener> listen_on(PortRange ports, bool this_machine) {
    int family = this_machine ? AF_INET : AF_INET6;
    int error = EADDRINUSE;
    for (uint32_t port = ports.first; port <= ports.last; ++port) {
        Listener listener;
        listener.socket = open_socket(family);
        if (!listener.socket && family == AF_INET6) {  // a kernel without IPv6
            family = AF_INET;
            listener.socket = open_socket(family);
        }
        error = listener.socket ? bind_and_listen(listener.socket.get(), family,
                                                  static_cast<uint16_t>(port), this_machine)
                                : errno;
        if (error == 0) {
            listener.port = port_of(listener.socket.get());
            return listener;
        }
    }
    return os_error("listen for direct links", error);
}

}  // namespace launch
