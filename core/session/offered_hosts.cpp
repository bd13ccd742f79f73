// SPDX-License-Identifier: MIT
#include "core/session/offered_hosts.hpp"

#include <algorithm>
#include <map>

#include "core/base/counted.hpp"
#include "core/hosts/hostlist.hpp"
#include "core/session/session_hosts.hpp"

namespace launch {
namespace {

uint32_t slots_for(const SessionHost& host, bool share) {
    if (share) return host.host.slots;
    if (host.is_kept) return 0;
    return host.host.slots - std::min(host.used, host.host.slots);
}

/// As errors of the whole: all hosts that are wrong, folded.
struct Wrong {
    std::vector<std::string> unknown;
    std::vector<std::string> down;
    std::vector<std::string> leaving;
};

Error folded(ErrorKind kind, const SessionState& session, const std::vector<std::string>& names,
             std::string cause, std::string hint) {
    return {kind,
            "choose hosts of session " + session.name,
            fold_names(names),
            -1,
            std::move(cause),
            std::move(hint)};
}

/// Whether it is offered.
bool offer(const SessionHost& host, const HostWish& wish, HostOffer& offered, Wrong& wrong) {
    if (!host.takes_jobs()) {
        (host.leaves ? wrong.leaving : wrong.down).push_back(host.host.name);
        return false;
    }
    const uint32_t slots = slots_for(host, wish.share);
    if (slots < host.host.slots) offered.is_part = true;
    if (slots == 0) return false;
    offered.hosts.push_back(host.host);
    offered.hosts.back().slots = slots;
    return true;
}

HostOffer choose(const SessionState& session, const HostWish& wish, Wrong& wrong) {
    HostOffer offered;
    if (wish.hosts.empty()) {
        for (const auto& host : session.hosts) {
            if (wish.most > 0 && offered.hosts.size() == wish.most) break;
            if (!is_among(host.host, wish.unwanted)) offer(host, wish, offered, wrong);
        }
        wrong = {};  // nobody asked for these hosts
        return offered;
    }
    std::map<std::ptrdiff_t, std::optional<uint32_t>> seen;  // by the place in the session
    for (const Host& wanted : wish.hosts) {
        offered.places.emplace_back();
        const auto found =
            std::find_if(session.hosts.begin(), session.hosts.end(),
                         [&](const SessionHost& host) { return is_meant(host.host, wanted); });
        if (found == session.hosts.end()) {
            wrong.unknown.push_back(wanted.name);
            continue;
        }
        const auto [at, is_new] = seen.try_emplace(found - session.hosts.begin());
        if (is_new && offer(*found, wish, offered, wrong))
            at->second = static_cast<uint32_t>(offered.hosts.size() - 1);
        offered.places.back() = at->second;
    }
    return offered;
}

}  // namespace

Result<HostOffer> offered_hosts(const SessionState& session, const HostWish& wish) {
    Wrong wrong;
    auto offered = choose(session, wish, wrong);
    if (!wrong.unknown.empty())
        return folded(ErrorKind::usage, session, wrong.unknown, "not a host of the session",
                      "`launch session show " + session.name + "` lists them");
    const bool may_miss = wish.allow_missing && !wish.keep_places;
    const auto refused = [&](const std::vector<std::string>& names, const char* why) {
        return folded(ErrorKind::unreachable, session, names, why,
                      wish.keep_places ? "" : "--allow-missing goes on without such hosts");
    };
    if (!wrong.down.empty() && !may_miss) return refused(wrong.down, "not up");
    if (!wrong.leaving.empty() && !may_miss)
        return refused(wrong.leaving, "being removed from the session; new jobs do not get it");
    if (offered.hosts.empty()) return no_room(session);
    return offered;
}

std::vector<NodeIndex> wished_nodes(const SessionState& session, const HostWish& wish) {
    std::vector<NodeIndex> nodes;
    for (const SessionHost& host : session.hosts) {
        const bool is_wished = wish.hosts.empty() ? !is_among(host.host, wish.unwanted)
                                                  : is_among(host.host, wish.hosts);
        if (is_wished) nodes.push_back(host.node);
    }
    return nodes;
}

Error no_room(const SessionState& session) {
    uint64_t slots = 0;
    uint64_t free = 0;
    size_t up = 0;
    size_t leaving = 0;
    for (const auto& host : session.hosts) {
        if (host.leaves) ++leaving;
        if (!host.takes_jobs()) continue;
        ++up;
        slots += host.host.slots;
        free += slots_for(host, false);
    }
    std::string cause =
        "too few slots are free: " + std::to_string(free) + " of " + std::to_string(slots);
    for (const auto& job : session.jobs)
        cause += "; job " + std::to_string(static_cast<uint32_t>(job.number)) + " (" + job.command +
                 ") has " + counted(job.ranks, "rank");
    if (session.waiting > 0) cause += "; " + counted(session.waiting, "job") + " waiting";
    if (up == 0) cause = "no host is up";
    if (leaving == session.hosts.size()) cause = "all hosts of the session are being removed";
    if (session.hosts.empty()) cause = "the session has no host";
    return {ErrorKind::unreachable,
            "run in session " + session.name,
            {},
            -1,
            std::move(cause),
            "--wait waits for free slots, --share also uses slots of other jobs"};
}

}  // namespace launch
