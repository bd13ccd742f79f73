// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <sys/types.h>

#include "core/base/error.hpp"
#include "core/base/fd.hpp"

namespace launch {

/// The process at the other end of a Unix socket, as the kernel reports it (SO_PEERCRED).
struct Peer {
    pid_t pid = 0;
    uid_t uid = 0;

    /// This user, or root.
    bool is_trusted() const;
};
Peer peer_of(int socket);

/// Takes connections; the path must not be there. A path that begins with @ is a name in the
/// kernel's abstract name space instead of a file, see unix(7).
Result<UniqueFd> listen_at(const std::string& path);
/// No descriptor if no process listens there, or the path does not exist; an Error if that cannot
/// be found out.
Result<UniqueFd> connect_to(const std::string& path);

}  // namespace launch
