// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace launch {

/// The connection between a relay and its parent, once the relay runs.
enum class LinkChoice : uint8_t {
    automatic,  ///< the transport's streams; a direct link where much is said, or the first breaks
    spawn,      ///< only the streams that the transport gave (of ssh: the channel)
    direct,     ///< a direct link at once; a host where it does not come up is a failure
};

constexpr auto link_choice_names = std::to_array<std::string_view>({"auto", "ssh", "direct"});

/// TCP ports on which relays take direct links; both 0: whatever is free.
struct PortRange {
    uint16_t first = 0;
    uint16_t last = 0;

    bool operator==(const PortRange&) const = default;
};

struct LinkPolicy {
    LinkChoice choice = LinkChoice::automatic;
    PortRange ports;
    /// Jobs come and go on the tree: a direct link pays before much has been said.
    bool many_jobs = false;

    bool operator==(const LinkPolicy&) const = default;
};

}  // namespace launch
