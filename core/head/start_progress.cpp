// SPDX-License-Identifier: MIT
#include "core/head/start_progress.hpp"

#include "core/base/seconds.hpp"

namespace launch {
namespace {

/// A clock that ticks: "59 s", "2 min 3 s", "1 h 0 min".
std::string in_whole_seconds(milliseconds time) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(time).count();
    if (seconds < 60) return std::to_string(seconds) + " s";
    if (seconds < 3600)
        return std::to_string(seconds / 60) + " min " + std::to_string(seconds % 60) + " s";
    return std::to_string(seconds / 3600) + " h " + std::to_string(seconds / 60 % 60) + " min";
}

}  // namespace

std::string text_of(TimeTaken time) {
    std::string text = in_whole_seconds(time.passed);
    if (time.limit.count() > 0) text += " of " + in_whole_seconds(time.limit);
    return text;
}

std::string starting_line(const StartingHosts& hosts, std::optional<TimeTaken> time) {
    const std::string line = "starting: " + std::to_string(hosts.up) + " of " +
                             std::to_string(hosts.all) + " hosts up, waiting for " + hosts.waiting;
    return time ? line + ", " + text_of(*time) : line;
}

bool LongStart::is_due(Clock::time_point now, Clock::time_point said_at) {
    if (now < due_) return false;
    const auto heard = said_at + silence;
    due_ = now < heard ? heard : Clock::time_point::max();
    return now >= heard;
}

std::string after(milliseconds passed) {
    return "after " + in_whole_seconds(passed);
}

std::string start_limits(const TreePolicies& policies) {
    return "a host has " + in_seconds(policies.connect_timeout) +
           " to answer (--connect-timeout), then " + in_seconds(policies.start_timeout) +
           " to be up (--start-timeout)";
}

}  // namespace launch
