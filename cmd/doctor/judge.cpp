// SPDX-License-Identifier: MIT
#include <algorithm>
#include <tuple>

#include "cmd/doctor/findings.hpp"
#include "core/base/counted.hpp"

namespace launch {
namespace {

struct Parted {
    std::string what;
    std::string fix;
};

/// The two parts of a notice "CAUSE (HINT)".
Parted parted(const std::string& text) {
    const size_t open = text.rfind(" (");
    if (open == std::string::npos || !text.ends_with(')')) return {text, {}};
    return {text.substr(0, open), text.substr(open + 2, text.size() - open - 3)};
}

/// The advice if no cause is known.
const std::string look_closer = "`launch -v -hosts HOST true` tells each step of a start";

/// Why a host was not started or was lost, and what to do. If only its tree parent cannot start it,
/// this machine can, so the parent or its link is to blame.
Parted why_not_started(const ExaminedHost& host) {
    const Error& why = *host.failure;
    std::string what = why.operation + ": " + why.cause;
    if (!host.started_by.empty()) what += " (from " + host.started_by + ")";
    if (!host.starts_from_here) return {what, why.hint.empty() ? look_closer : why.hint};
    what += "; from here it works";
    // The host that tried to log in or to resolve the name has the better advice.
    const bool by_its_own = why.operation == "authenticate" || why.operation == "resolve";
    if (by_its_own && !why.hint.empty()) return {what, why.hint};
    return {what, "on " + host.started_by + ": ssh " + host.name +
                      " true; or start all from here: --topology flat"};
}

void judge_start(const Examination& seen, Findings& found) {
    size_t up = 0;
    for (const auto& host : seen.hosts) {
        const auto blame = [&](const Parted& why) {
            found.add_fault(Check::start, host.name, ErrorKind::unreachable, why.what, why.fix);
        };
        if (host.failure)
            blame(why_not_started(host));
        else if (host.is_up && !host.facts)
            blame({"a process could not run there: " + host.why_no_facts, look_closer});
        if (host.is_up && !host.failure) ++up;
    }
    const bool one = seen.hosts.size() == 1;
    found.done(Check::start, seen.is_local
                                 ? "processes can be started on this machine"
                                 : counted(up, "host") + (one ? " was" : " were") + " started");
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
}

constexpr uint64_t second_us = 1'000'000;
/// Half of what --connect-timeout gives a host by default.
constexpr uint64_t slow_us = 5 * second_us;

struct SlowStage {
    Check check;
    std::string what;  ///< after "15 s "
    std::string fix;
};

SlowStage slow_stage(StartStage stage) {
    switch (stage) {
        case StartStage::dial:
            return {Check::start, "until its address answered",
                    "is the name server slow? try: getent hosts HOST"};
        case StartStage::auth:
        case StartStage::start:
            return {
                Check::login, "for the login",
                "sshd may look up a name there (UseDNS), or PAM ask a directory; try: ssh -v HOST "
                "true"};
        case StartStage::push:
            return {Check::start, "to send launch there",
                    "put the same launch at the same path on the host; then it is not sent"};
        case StartStage::client:
            return {Check::start, "until the program that starts it there had done so",
                    "try by hand what `launch --dry-run --explain` shows for the host"};
        default:
            return {
                Check::login, "from the login until launch ran",
                "do the start-up files of the login shell wait for something? try: ssh HOST true"};
    }
}

void judge_start_times(const Examination& seen, Findings& found) {
    for (const auto& host : seen.hosts) {
        if (!host.is_up || host.longest_us < slow_us) continue;
        const SlowStage slow = slow_stage(host.longest);
        found.add(
            Severity::warning, slow.check, host.name,
            "the start takes " + std::to_string(host.longest_us / second_us) + " s " + slow.what,
            slow.fix);
    }
}

}  // namespace

void Findings::add(Finding finding, const std::string& host) {
    auto same = std::find_if(findings_.begin(), findings_.end(), [&](const Finding& other) {
        return other.severity == finding.severity && other.check == finding.check &&
               other.what == finding.what && other.fix == finding.fix;
    });
    if (same == findings_.end()) same = findings_.insert(same, std::move(finding));
    auto& hosts = same->hosts;
    if (std::find(hosts.begin(), hosts.end(), host) == hosts.end()) hosts.push_back(host);
}

void Findings::add(Severity severity, Check check, const std::string& host, std::string what,
                   std::string fix) {
    add({severity, check, {}, std::move(what), std::move(fix), {}}, host);
}

void Findings::add_fault(Check check, const std::string& host, ErrorKind kind, std::string what,
                         std::string fix) {
    add({Severity::fault, check, {}, std::move(what), std::move(fix), kind}, host);
}

void Findings::done(Check check, std::string what) {
    done_[static_cast<size_t>(check)] = std::move(what);
}

std::vector<Finding> Findings::take() {
    for (size_t i = 0; i < done_.size(); ++i) {
        const auto check = static_cast<Check>(i);
        const bool is_bad = std::any_of(findings_.begin(), findings_.end(), [&](const auto& each) {
            return each.check == check && each.severity < Severity::note;
        });
        if (!done_[i].empty() && !is_bad)
            findings_.push_back({Severity::good, check, {}, std::move(done_[i]), {}, {}});
    }
    std::stable_sort(findings_.begin(), findings_.end(), [](const auto& a, const auto& b) {
        return std::tie(a.severity, a.check) < std::tie(b.severity, b.check);
    });
    return std::move(findings_);
}

std::vector<Finding> judge(const Examination& seen) {
    Findings found;
    judge_start(seen, found);
    judge_notices(seen, found);
    judge_start_times(seen, found);
    const bool any_facts = std::any_of(seen.hosts.begin(), seen.hosts.end(),
                                       [](const auto& host) { return host.facts.has_value(); });
    if (!any_facts) return found.take();
    if (!seen.is_local) found.done(Check::login, "login shells are silent");
    if (!seen.is_local && seen.links != LinkChoice::spawn)
        found.done(Check::links, "relays reach their parents by TCP");
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
