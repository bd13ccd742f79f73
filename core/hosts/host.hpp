// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace launch {

/// A host as the user gave it. The name is never cut or resolved here: it is the host's identity.
struct Host {
    std::string user;    ///< empty: the transport's default
    std::string name;    ///< name or address; an IPv6 address without its brackets
    uint16_t port = 0;   ///< 0: the transport's default
    uint32_t slots = 1;  ///< how many ranks fit

    bool operator==(const Host&) const = default;
};

/// Both are reached in the same way, whatever their slots.
inline bool is_same(const Host& a, const Host& b) {
    return a.name == b.name && a.user == b.user && a.port == b.port;
}

}  // namespace launch
