#pragma once

#include <cstdint>
#include <string>

#include "core/topology.hpp"

namespace launch {

/// Where a node takes direct links. A relay learns those of its ancestors when it is started, from
/// the nearest to the head.
struct Contact {
    NodeIndex node = 0;
    std::string address;  ///< numeric; empty: not known
    uint16_t port = 0;    ///< 0: it takes none

    bool usable() const { return port != 0 && !address.empty(); }
    bool operator==(const Contact&) const = default;
};

}  // namespace launch
