// SPDX-License-Identifier: MIT
#include "core/session/local_socket.hpp"

#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/base/file_text.hpp"

namespace launch {
namespace {

constexpr int most_waiting = 512;

Result<sockaddr_un> address_of(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) return os_error("open " + path, ENAMETOOLONG);
    std::memcpy(address.sun_path, path.c_str(), path.size());
    return address;
}

Result<UniqueFd> make_socket() {
    UniqueFd made(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (made.get() < 0) return os_error("make a socket", errno);
    return made;
}

const sockaddr* generic(const sockaddr_un& address) {
    return static_cast<const sockaddr*>(static_cast<const void*>(&address));
}

}  // namespace

bool Peer::is_trusted() const {
    return uid == geteuid() || uid == 0;
}

Peer peer_of(int socket) {
    ucred credentials{};
    socklen_t size = sizeof credentials;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0)
        return {0, static_cast<uid_t>(-1)};
    return {credentials.pid, credentials.uid};
}

Result<UniqueFd> listen_at(const std::string& path) {
    const auto address = address_of(path);
    if (!address) return address.error();
    auto made = make_socket();
    if (!made) return made;
    if (bind(made->get(), generic(*address), sizeof *address) != 0 ||
        listen(made->get(), most_waiting) != 0)
        return os_error("listen at " + path, errno);
    return made;
}

Result<UniqueFd> connect_to(const std::string& path) {
    const auto address = address_of(path);
    if (!address) return address.error();
    auto made = make_socket();
    if (!made) return made;
    while (connect(made->get(), generic(*address), sizeof *address) != 0) {
        if (errno == ECONNREFUSED || is_absent(errno)) return UniqueFd();
        if (errno != EINTR) return os_error("connect to " + path, errno);
    }
    return made;
}

}  // namespace launch
