// SPDX-License-Identifier: MIT
#include "core/job/host_choice.hpp"

#include <algorithm>
#include <numeric>

namespace launch {

std::vector<ProgramGroup> group_programs(size_t programs, const std::vector<HostChoice>& choices,
                                         size_t hosts) {
    ProgramGroup anywhere;
    anywhere.hosts.resize(hosts);
    std::iota(anywhere.hosts.begin(), anywhere.hosts.end(), 0U);
    std::vector<ProgramGroup> groups;
    for (size_t i = 0; i < programs; ++i) {
        const bool has_own = i < choices.size() && choices[i] && *choices[i] != anywhere.hosts;
        if (!has_own) {
            anywhere.programs.push_back(i);
            continue;
        }
        auto group = std::find_if(groups.begin(), groups.end(),
                                  [&](const auto& other) { return other.hosts == *choices[i]; });
        if (group == groups.end()) group = groups.insert(groups.end(), {*choices[i], {}});
        group->programs.push_back(i);
    }
    if (!anywhere.programs.empty()) groups.push_back(std::move(anywhere));
    return groups;
}

std::vector<HostChoice> moved_choices(std::vector<HostChoice> choices,
                                      std::span<const uint32_t> places) {
    for (auto& choice : choices) {
        if (!choice) continue;
        for (uint32_t& place : *choice)
            place = places[place];
        std::erase(*choice, no_place);
    }
    return choices;
}

std::optional<size_t> program_without_host(const std::vector<HostChoice>& choices) {
    const auto found = std::find_if(choices.begin(), choices.end(), [](const HostChoice& choice) {
        return choice && choice->empty();
    });
    if (found == choices.end()) return std::nullopt;
    return static_cast<size_t>(found - choices.begin());
}

}  // namespace launch
