#pragma once

#include <optional>
#include <sys/types.h>

namespace launch {

/// Of a peer that has hung up meanwhile.
inline constexpr uid_t gone_user = static_cast<uid_t>(-1);

/// The user whose process has the other end of this connection over loopback, as the kernel knows
/// it (sock_diag(7)). Nothing: the kernel does not tell here.
std::optional<uid_t> peer_user(int socket);

}  // namespace launch
