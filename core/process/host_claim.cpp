// SPDX-License-Identifier: MIT
#include "core/process/host_claim.hpp"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace launch {
namespace {

/// The address of a socket in the abstract namespace, which has no file: it disappears with its
/// process.
struct AbstractName {
    sockaddr_un address{};
    socklen_t size = 0;
};

AbstractName abstract_name(const std::string& name) {
    AbstractName made;
    made.address.sun_family = AF_UNIX;
    const size_t length = name.copy(made.address.sun_path + 1, sizeof made.address.sun_path - 1);
    made.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
    return made;
}

UniqueFd make_claim_socket() {
    return UniqueFd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

const sockaddr* generic(const AbstractName& name) {
    return reinterpret_cast<const sockaddr*>(&name.address);
}

/// Somebody of another user may have read the name and taken it, to keep us from working.
bool is_held_by_this_user(const AbstractName& name) {
    const UniqueFd asking = make_claim_socket();
    // Without room among those that wait to be accepted nobody can say who it is.
    if (connect(asking.get(), generic(name), name.size) != 0) return errno == EAGAIN;
    ucred holder{};
    socklen_t size = sizeof holder;
    return getsockopt(asking.get(), SOL_SOCKET, SO_PEERCRED, &holder, &size) != 0 ||
           holder.uid == geteuid();
}

}  // namespace

HostClaim claim_on_host(const std::string& name) {
    const AbstractName address = abstract_name(name);
    UniqueFd held = make_claim_socket();
    if (bind(held.get(), generic(address), address.size) == 0 && listen(held.get(), SOMAXCONN) == 0)
        return {true, std::move(held)};
    if (errno == EADDRINUSE && is_held_by_this_user(address)) return {false, {}};
    return {};
}

}  // namespace launch
