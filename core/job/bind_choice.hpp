// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/cpu_set.hpp"

namespace launch {

/// Parts of a machine that ranks are bound to, or dealt to.
enum class MachinePart : uint8_t {
    hwthread,
    core,
    l1,  ///< what shares such a cache
    l2,
    l3,
    numa,
    socket,
    machine,
    last = machine,
};

constexpr auto machine_part_names = std::to_array<std::string_view>(
    {"hwthread", "core", "l1", "l2", "l3", "numa", "socket", "machine"});

/// The unit to which each rank is bound: --bind.
struct BindChoice {
    enum class How : uint8_t {
        automatic,  ///< a core each, where a host has several ranks and a core for each
        none,       ///< whatever the host lets the job use
        part,       ///< `count` parts of a kind
        listed,     ///< the CPUs of `lists`, in turn
        last = listed,
    };

    How how = How::automatic;
    MachinePart part = MachinePart::core;
    uint32_t count = 1;
    bool overload = false;      ///< ranks may be more than the cores that they are bound to
    std::vector<CpuSet> lists;  ///< of the first rank on a host, the second, ...

    bool operator==(const BindChoice&) const = default;
};

/// Which part of its host a rank is dealt to: --map-by, inside a host.
struct PartMap {
    std::optional<MachinePart> part;  ///< in turn; none: the next free ones
    uint32_t joined = 1;              ///< so many neighbours of the kind count as one part
    uint32_t in_each = 0;             ///< not 0: so many in one part, then the next (ppr)
    uint32_t cores = 0;               ///< not 0: each rank gets so many (PE=N)

    bool operator==(const PartMap&) const = default;
};

/// How many GPUs each rank sees: --gpus-per-rank.
struct GpuChoice {
    enum class How : uint8_t {
        none,       ///< nothing is said of them
        automatic,  ///< its share of those that its host has
        count,
        last = count,
    };

    How how = How::none;
    uint32_t count = 0;

    bool operator==(const GpuChoice&) const = default;
};

/// Everything about places that hosts need.
struct PlaceChoice {
    BindChoice bind;
    PartMap map;
    std::optional<MachinePart> rank_by;  ///< ranks are numbered over these in turn
    bool report = false;                 ///< --report-bindings
    GpuChoice gpus;

    bool operator==(const PlaceChoice&) const = default;
};

}  // namespace launch
