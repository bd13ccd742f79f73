// SPDX-License-Identifier: MIT
#include "tests/unit/core/harness/event_log.hpp"

#include <array>
#include <iostream>

namespace launch {
namespace {

/// By type, from 1.
constexpr auto frame_names = std::to_array<const char*>({"hello",
                                                         "job",
                                                         "subtree",
                                                         "nodes_up",
                                                         "failure",
                                                         "exits",
                                                         "notice",
                                                         "output",
                                                         "input",
                                                         "input_wanted",
                                                         "input_refused",
                                                         "credit",
                                                         "signal",
                                                         "window",
                                                         "terminate",
                                                         "finish",
                                                         "ping",
                                                         "pause",
                                                         "modex",
                                                         "fault",
                                                         "moved",
                                                         "attach",
                                                         "attached",
                                                         "resend",
                                                         "ack",
                                                         "segment",
                                                         "stage_wanted",
                                                         "staged",
                                                         "bye",
                                                         "stats",
                                                         "assignment",
                                                         "released",
                                                         "gained",
                                                         "contacts",
                                                         "routes",
                                                         "routed",
                                                         "want_contacts",
                                                         "peer",
                                                         "start_ranks",
                                                         "unready",
                                                         "refused",
                                                         "dismissed",
                                                         "end_job",
                                                         "survey",
                                                         "surveyed",
                                                         "spawn",
                                                         "spawned",
                                                         "grow",
                                                         "remove",
                                                         "left",
                                                         "session_state",
                                                         "session_request",
                                                         "session_answer",
                                                         "starts",
                                                         "costs"});
static_assert(frame_names.size() == static_cast<size_t>(FrameType::last));

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
        frame_names[static_cast<size_t>(type) - 1]);
}

}  // namespace launch
