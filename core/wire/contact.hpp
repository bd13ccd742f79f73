// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/topology.hpp"

namespace launch {

/// Bytes of a public key of X25519.
inline constexpr size_t public_key_size = 32;

/// Where a node takes direct links. A relay learns those of its ancestors when it is started, from
/// the nearest to the head.
struct Contact {
    NodeIndex node = 0;
    std::string address;  ///< numeric; empty: not known
    uint16_t port = 0;    ///< 0: it takes none
    /// By which it proves itself to nodes that are neither above nor below it. Empty: it has none,
    /// or nobody here needs it.
    std::string public_key = {};

    bool usable() const { return port != 0 && !address.empty(); }
    bool operator==(const Contact&) const = default;
};

}  // namespace launch
