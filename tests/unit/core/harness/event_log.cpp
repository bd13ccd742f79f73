// SPDX-License-Identifier: MIT
#include "tests/unit/core/harness/event_log.hpp"

#include <iostream>

namespace launch {
namespace {

std::string name_of(const Process* process) {
    if (process == nullptr) return "?";
    return Network::name_of(process->node) + "." + std::to_string(process->number);
}

}  // namespace

void EventLog::add(const std::string& what) const {
    const auto since = Clock::now() - SimulatedTime::beginning;
    const auto us = std::chrono::duration_cast<std::chrono::microseconds>(since).count();
    std::cerr << static_cast<double>(us) / 1e6 << " " << what << "\n";
}

void EventLog::follow(Network& network) const {
    network.watch = [this, &network](Cable& cable, Cable::Side from, FrameType type) {
        add(network, cable, from, type);
        return std::nullopt;
    };
}

void EventLog::add(const Network& network, const Cable& cable, Cable::Side from,
                   FrameType type) const {
    const auto to = Cable::other(from);
    add(name_of(network.user_of(cable, from)) + " > " + name_of(network.user_of(cable, to)) + " " +
        std::string(launch::name_of(type)));
}

}  // namespace launch
