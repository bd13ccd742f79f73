// SPDX-License-Identifier: MIT
#include <array>

#include "core/wire/frame.hpp"

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

}  // namespace

std::string_view name_of(FrameType type) {
    const auto at = static_cast<size_t>(type) - 1;
    return at < frame_names.size() ? frame_names[at] : "unknown";
}

std::string malformed(FrameType type) {
    return "a malformed message (" + std::string(name_of(type)) + ")";
}

}  // namespace launch
