// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/base/error.hpp"
#include "core/topology.hpp"

namespace launch {

struct TopologyInfo {
    std::string_view name;
    std::string_view help;           ///< one line
    std::string_view argument = {};  ///< what may follow it after a colon: "K" of "kary:K"
};

/// The names that make_topology() knows, in the order to show them.
std::span<const TopologyInfo> known_topologies();

/// The degree of "kary" where none is given.
inline constexpr uint32_t default_degree = 32;

/// The topology of a name and degree as the user gave them.
///  - name: one of known_topologies(), or "kary:K"; empty where the user gave none, which means
///    kary if there is a degree, else auto;
///  - degree: 0 where the user gave none. Only kary has one, and two that differ are an error;
///  - nodes >= 1: the head and its hosts, for auto;
///  - reason: where not null, receives a sentence that says why it is this one.
Result<std::unique_ptr<Topology>> make_topology(std::string_view name, uint32_t degree,
                                                NodeIndex nodes, std::string* reason);

}  // namespace launch
