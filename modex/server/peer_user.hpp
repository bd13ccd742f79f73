// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <sys/types.h>

namespace launch {

/// The user of a peer that has closed the connection meanwhile.
inline constexpr uid_t gone_user = static_cast<uid_t>(-1);

/// The user whose process has the other end of this connection over loopback, as the kernel knows
/// it (sock_diag(7), or /proc/net/tcp where that is not to be had, as in some sandboxes). Nothing:
/// the kernel does not tell here.
std::optional<uid_t> peer_user(int socket);

/// The user according to a table like /proc/net/tcp (proc(5)).
std::optional<uid_t> peer_user_in(const std::string& table, int socket);

}  // namespace launch
