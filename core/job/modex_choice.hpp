// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace launch {

/// Which of the protocols by which MPI libraries find one another the ranks are offered.
enum class PmiChoice : uint8_t {
    automatic,  ///< what the program may speak, see modex/detect
    pmi1,
    pmi1_port,  ///< pmi1 by a local port instead of an inherited socket
    pmi2,
    pmix,
    none,
};

/// PMI-1 or PMI-2, one or the other, in any way.
constexpr bool names_pmi(PmiChoice choice) {
    return choice == PmiChoice::pmi1 || choice == PmiChoice::pmi1_port || choice == PmiChoice::pmi2;
}

/// When the cards of a fence travel to those who read them, and along which links contributions to
/// a fence of PMIx do that are large.
enum class ModexChoice : uint8_t {
    automatic,  ///< by the amount of data and by what is asked
    gather,     ///< in the fence, all to everyone, along the tree
    on_demand,  ///< each when it is asked for
    ring,       ///< PMIx: from each node to the next one
    bruck,      ///< PMIx: to nodes that are 1, 2, 4, ... away
    doubling,   ///< PMIx: along the edges of a hypercube
    last = doubling,
};

constexpr bool names_peers(ModexChoice choice) {
    return choice == ModexChoice::ring || choice == ModexChoice::bruck ||
           choice == ModexChoice::doubling;
}

/// Names as the user writes them, indexed by the value.
constexpr auto pmi_choice_names =
    std::to_array<std::string_view>({"auto", "pmi1", "pmi1-port", "pmi2", "pmix", "none"});
constexpr auto modex_choice_names =
    std::to_array<std::string_view>({"auto", "gather", "on-demand", "ring", "bruck", "doubling"});

}  // namespace launch
