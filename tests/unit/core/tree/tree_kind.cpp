// SPDX-License-Identifier: MIT
#include "tests/unit/core/tree/tree_kind.hpp"

#include <random>

namespace launch {

TreeKind::TreeKind(uint32_t seed) {
    static const std::vector<std::string> topologies = {"chain", "kary:2", "kary:3", "binomial",
                                                        "flat"};
    std::seed_seq mixed{seed};
    std::mt19937 random(mixed);
    const auto draw = [&random](size_t limit) { return static_cast<uint32_t>(random() % limit); };
    topology = topologies[draw(topologies.size())];
    if (draw(4) == 0) routing = topologies[draw(topologies.size())];
    cables = static_cast<Cables>(draw(4));
    logins = static_cast<Logins>(draw(3));
    deaths = draw(4);
    late = draw(4) == 0;
    grows = draw(4) > 0;
    begins_at_once = draw(3) == 0;
}

std::vector<std::string> TreeKind::words() const {
    const auto word = [](const char* property, auto value) {
        return property + (" " + std::to_string(static_cast<int>(value)));
    };
    return {topology,
            word("routing", !routing.empty()),
            word("cables", cables),
            word("logins", logins),
            word("deaths", deaths),
            word("late", late),
            word("grows", grows),
            word("begins at once", begins_at_once)};
}

}  // namespace launch
