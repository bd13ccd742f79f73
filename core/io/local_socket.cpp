// SPDX-License-Identifier: MIT
#include "core/io/local_socket.hpp"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/base/file_text.hpp"

namespace launch {
namespace {

constexpr int most_waiting = 512;
constexpr time_t connect_seconds = 5;

struct Address {
    sockaddr_un path{};
    socklen_t size = sizeof path;
};

/// The address of a path, or of an abstract name, which begins with @.
Result<Address> address_of(const std::string& path) {
    Address address;
    auto& text = address.path.sun_path;
    address.path.sun_family = AF_UNIX;
    if (path.size() >= sizeof text) return os_error("open " + path, ENAMETOOLONG);
    std::memcpy(text, path.c_str(), path.size());
    if (!path.starts_with('@')) return address;
    text[0] = '\0';
    address.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size());
    return address;
}

Result<UniqueFd> make_socket() {
    UniqueFd made(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (made.get() < 0) return os_error("make a socket", errno);
    return made;
}

const sockaddr* generic(const Address& address) {
    return static_cast<const sockaddr*>(static_cast<const void*>(&address.path));
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
    if (bind(made->get(), generic(*address), address->size) != 0 ||
        listen(made->get(), most_waiting) != 0)
        return os_error("listen at " + path, errno);
    return made;
}

Result<UniqueFd> connect_to(const std::string& path) {
    const auto address = address_of(path);
    if (!address) return address.error();
    auto made = make_socket();
    if (!made) return made;
    // A listener whose queue is full, which may be another user's, is not waited for any longer.
    const timeval longest{connect_seconds, 0};
    setsockopt(made->get(), SOL_SOCKET, SO_SNDTIMEO, &longest, sizeof longest);
    while (connect(made->get(), generic(*address), address->size) != 0) {
        if (errno == ECONNREFUSED || is_absent(errno)) return UniqueFd();
        if (errno != EINTR) return os_error("connect to " + path, errno);
    }
    return made;
}

}  // namespace launch
