// SPDX-License-Identifier: MIT
#include "cmd/doctor/judge.hpp"

#include <algorithm>

#include "cmd/doctor/judge_parts.hpp"
#include "core/base/counted.hpp"

namespace launch {
namespace {

/// The two parts of a notice "CAUSE (HINT)".
struct Parted {
    std::string what;
    std::string fix;
};

Parted parted(const std::string& text) {
    const size_t open = text.rfind(" (");
    if (open == std::string::npos || !text.ends_with(')')) return {text, {}};
    return {text.substr(0, open), text.substr(open + 2, text.size() - open - 3)};
}

std::string from(const ExaminedHost& host) {
    return host.started_by.empty() ? "" : " (from " + host.started_by + ")";
}

/// Adds the fault of a host that only its tree parent cannot start: this machine can, so the parent
/// or its link is to blame.
void judge_other_way(const ExaminedHost& host, Findings& found) {
    const Error& why = *host.failure;
    const std::string try_it = "on " + host.started_by + ": ssh " + host.name +
                               " true; or start all from here: --topology flat";
    // The host that tried to log in or to resolve the name has the better advice.
    const bool by_its_own = why.operation == "authenticate" || why.operation == "resolve";
    found.add_fault(Check::start, host.name, ErrorKind::unreachable,
                    why.operation + ": " + why.cause + from(host) + "; from here it works",
                    by_its_own && !why.hint.empty() ? why.hint : try_it);
}

/// The advice if no cause is known.
const std::string look_closer = "`launch -v -hosts HOST true` tells each step of a start";

void judge_start(const Examination& seen, Findings& found) {
    size_t up = 0;
    for (const auto& host : seen.hosts) {
        if (host.is_up && !host.failure) ++up;
        if (host.failure && host.starts_from_here)
            judge_other_way(host, found);
        else if (host.failure)
            found.add_fault(Check::start, host.name, ErrorKind::unreachable,
                            host.failure->operation + ": " + host.failure->cause + from(host),
                            host.failure->hint.empty() ? look_closer : host.failure->hint);
        else if (host.is_up && !host.facts)
            found.add_fault(Check::start, host.name, ErrorKind::unreachable,
                            "a process could not run there: " + host.why_no_facts, look_closer);
    }
    const size_t all = seen.hosts.size();
    if (seen.is_local)
        found.done(Check::start, "processes can be started on this machine");
    else
        found.done(Check::start, counted(up, "host") + (all == 1 ? " was" : " were") + " started");
}

void judge_notices(const Examination& seen, Findings& found) {
    using Topic = NoticeMessage::Topic;
    for (const auto& host : seen.hosts) {
        for (const auto& notice : host.notices) {
            const auto [what, fix] = parted(notice.text);
            if (notice.topic == Topic::login_noise)
                found.add(Severity::warning, Check::login, host.name, what, fix);
            else if (notice.topic == Topic::direct_link)
                found.add(seen.reaches_by_name ? Severity::warning : Severity::note, Check::links,
                          host.name, what,
                          "let hosts reach each other by TCP (--link-ports 5000-5100 names ports), "
                          "or say --links ssh");
            else
                found.add(Severity::note, Check::start, host.name, what, fix);
        }
    }
    const bool any_up = std::any_of(seen.hosts.begin(), seen.hosts.end(),
                                    [](const auto& host) { return host.facts.has_value(); });
    if (seen.is_local || !any_up) return;
    found.done(Check::login, "login shells are silent");
    if (seen.links != LinkChoice::spawn)
        found.done(Check::links, "relays reach their parents by TCP");
}

}  // namespace

std::vector<Finding> judge(const Examination& seen) {
    Findings found;
    judge_start(seen, found);
    judge_notices(seen, found);
    judge_start_times(seen, found);
    judge_names(seen, found);
    judge_clocks(seen, found);
    judge_limits(seen, found);
    judge_disks(seen, found);
    judge_wdir(seen, found);
    judge_glibc(seen, found);
    judge_libraries(seen, found);
    return found.take();
}

std::optional<ErrorKind> would_fail_by(const std::vector<Finding>& findings) {
    const auto worst = std::find_if(findings.begin(), findings.end(),
                                    [](const Finding& each) { return each.kind.has_value(); });
    return worst == findings.end() ? std::nullopt : worst->kind;
}

}  // namespace launch
