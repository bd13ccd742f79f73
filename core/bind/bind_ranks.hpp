// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "core/bind/machine.hpp"

namespace launch {

/// The CPUs of each rank of a host, by its local rank; an empty set: it is not bound. A pure
/// function of the machine and of what was asked:
///
///  - Ranks get the next `count` parts of the kind to bind to; where there are more ranks than
///    such parts, they start over, as long as each rank has a core, or as many cores of its own
///    as were asked for (hardware threads, where these are what is bound to).
///  - With --map-by ranks go to the parts of that kind in turn, and inside one of them get the
///    next parts to bind to; where those are larger, the one that it lies in.
///  - With --map-by socket:2 two neighbours count as one part; one that is left over is not used.
///  - With ppr the first N go to the first part, the next N to the second.
///  - With --rank-by the places are the same, and ranks are numbered over those parts in turn.
///
/// Nothing that was not usable is bound to. Where nobody asked for a binding there is no error.
Result<std::vector<CpuSet>> bind_ranks(const Machine& machine, const PlaceChoice& choice,
                                       uint32_t ranks);

/// The effective binding for --bind auto, given --map-by.
BindChoice resolved_bind(const PlaceChoice& choice);

/// Whether the machine need be looked at for so many ranks of a host that may use so many CPUs.
bool may_bind(const PlaceChoice& choice, uint32_t ranks, std::size_t cpus);

}  // namespace launch
