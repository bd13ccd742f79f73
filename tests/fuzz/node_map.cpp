// SPDX-License-Identifier: MIT
// Where all ranks of a job are, as a parent tells it. The first two bytes say how many nodes and
// ranks it has; the rest is what is told, and of what a placement is made.
#include "core/job/node_map.hpp"

#include <algorithm>

#include "core/hosts/hostlist.hpp"
#include "tests/fuzz/allocation.hpp"
#include "tests/fuzz/targets.hpp"

namespace launch {
namespace {

using fuzz::require;

constexpr size_t most_hosts = 64;
constexpr uint32_t most_slots = 8;

uint32_t number(char byte) {
    return static_cast<unsigned char>(byte);
}

void any_words(uint32_t nodes, uint32_t ranks, std::string_view bytes) {
    fuzz::AllocationLimit limit(fuzz::in_proportion(bytes.size()));
    const auto map = decode_node_map(bytes, nodes, ranks);
    limit.check();
    if (!map) return;
    require(map->hosts.size() == nodes && map->ranks.size() == nodes, "the job's nodes");
    uint32_t count = 0;
    for (const auto& runs : map->ranks) {
        count += local_size(runs);
        for_each_rank(runs, [&](uint32_t rank) { require(rank < ranks, "the job's ranks"); });
    }
    require(count == ranks, "as many as it has");
}

/// A byte is a host's slots.
void own_words(Mapping mapping, uint32_t ranks, std::string_view bytes) {
    PlacementRequest request{.mapping = mapping};
    std::vector<Host> hosts;
    for (const char byte : bytes.substr(0, most_hosts)) {
        request.slots.push_back(1 + number(byte) % most_slots);
        hosts.push_back({{}, "n" + std::to_string(hosts.size()), 0, request.slots.back()});
    }
    request.ranks = ranks;
    const auto placement = place(request);
    if (hosts.empty() || !placement) return;
    const auto map = decode_node_map(encode_node_map(hosts, *placement),
                                     static_cast<uint32_t>(hosts.size()), placement->ranks());
    require(map && map->hosts == hosts, "the hosts that were told");
    for (size_t i = 0; i < hosts.size(); ++i) {
        const auto told = placement->node(i);
        require(std::equal(told.begin(), told.end(), map->ranks[i].begin(), map->ranks[i].end()),
                "the ranks that were told");
    }
}

}  // namespace

void fuzz::node_map(std::string_view bytes) {
    if (bytes.size() < 2) return;
    const uint32_t nodes = number(bytes[0]);
    const uint32_t ranks = number(bytes[1]);
    bytes.remove_prefix(2);
    any_words(nodes, ranks, bytes);
    own_words(nodes % 2 == 0 ? Mapping::block : Mapping::cyclic, ranks, bytes);
}

}  // namespace launch
