// SPDX-License-Identifier: MIT
#include <algorithm>

#include "cmd/doctor/judge_parts.hpp"
#include "cmd/render/time_text.hpp"

namespace launch {
namespace {

constexpr int64_t second = 1'000'000;
/// make, tar and NFS notice less; schedulers' and Kerberos' limits are minutes.
constexpr int64_t bearable_us = second;

/// How far the clock is ahead, at least and at most; behind where that is negative.
struct Ahead {
    int64_t least = 0;
    int64_t most = 0;
};

Ahead ahead_of_here(const ExaminedHost& host) {
    const auto there = static_cast<int64_t>(host.facts->clock_us);
    return {there - static_cast<int64_t>(host.latest_us),
            there - static_cast<int64_t>(host.earliest_us)};
}

}  // namespace

void judge_clocks(const Examination& seen, Findings& found) {
    if (seen.is_local) return;
    int64_t widest = 0;
    bool asked = false;
    for (const auto& host : seen.hosts) {
        if (!host.facts || host.latest_us < host.earliest_us) continue;
        asked = true;
        const Ahead ahead = ahead_of_here(host);
        widest = std::max({widest, std::abs(ahead.least), std::abs(ahead.most)});
        const bool early = ahead.least > bearable_us;
        const bool late = ahead.most < -bearable_us;
        if (!early && !late) continue;
        // The difference is at least this, however long a message took.
        const auto certain = static_cast<uint64_t>(early ? ahead.least : -ahead.most);
        found.add(Severity::warning, Check::clock, host.name,
                  "its clock is " + time_text(certain) + (early ? " ahead of" : " behind") +
                      " that of this machine",
                  "is chrony, ntpd or systemd-timesyncd running there? try: timedatectl");
    }
    // Wrong clocks have findings of their own; this bounds the difference of the others.
    if (asked)
        found.done(Check::clock,
                   "differ by less than " + time_text(static_cast<uint64_t>(widest + second / 10)));
}

}  // namespace launch
