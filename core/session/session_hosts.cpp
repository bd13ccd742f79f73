// SPDX-License-Identifier: MIT
#include "core/session/session_hosts.hpp"

#include <algorithm>

#include "core/link/patience.hpp"

namespace launch {
namespace {

/// Doubles with each try, by up to a quarter more or less.
Clock::duration pause_before(uint32_t tries, double jitter) {
    auto pause = std::chrono::duration_cast<Clock::duration>(patience::try_again);
    const auto longest = std::chrono::duration_cast<Clock::duration>(patience::longest_try_again);
    for (uint32_t i = 1; i < tries && pause < longest; ++i)
        pause *= 2;
    pause = std::min(pause, longest);
    const double factor = 0.75 + jitter / 2;
    return std::chrono::duration_cast<Clock::duration>(pause * factor);
}

}  // namespace

bool is_meant(const Host& host, const Host& wanted) {
    return host.name == wanted.name && (wanted.user.empty() || wanted.user == host.user) &&
           (wanted.port == 0 || wanted.port == host.port);
}

bool is_among(const Host& host, const std::vector<Host>& wanted) {
    return std::any_of(wanted.begin(), wanted.end(),
                       [&](const Host& each) { return is_meant(host, each); });
}

void SessionHosts::add(const std::vector<Host>& hosts, NodeIndex first, Clock::time_point now) {
    for (const Host& host : hosts) {
        Entry entry;
        entry.host = host;
        entry.node = first++;
        entry.since = now;
        entries_.push_back(std::move(entry));
    }
}

void SessionHosts::remove(const std::vector<NodeIndex>& nodes) {
    const std::set<NodeIndex> gone(nodes.begin(), nodes.end());
    std::erase_if(entries_, [&gone](const Entry& entry) { return gone.contains(entry.node); });
}

std::vector<SessionHosts::Entry*> SessionHosts::entries_of(const std::vector<NodeIndex>& nodes) {
    const std::set<NodeIndex> wanted(nodes.begin(), nodes.end());
    std::vector<Entry*> found;
    for (Entry& entry : entries_)
        if (wanted.contains(entry.node)) found.push_back(&entry);
    return found;
}

SessionHosts::Entry* SessionHosts::entry(NodeIndex node) {
    const auto at = std::find_if(entries_.begin(), entries_.end(),
                                 [node](const Entry& entry) { return entry.node == node; });
    return at == entries_.end() ? nullptr : &*at;
}

SessionHosts::Entry* SessionHosts::entry(const Host& host) {
    const auto at = std::find_if(entries_.begin(), entries_.end(),
                                 [&](const Entry& entry) { return is_same(entry.host, host); });
    return at == entries_.end() ? nullptr : &*at;
}

const SessionHosts::Entry* SessionHosts::find(NodeIndex node) const {
    const auto at = std::find_if(entries_.begin(), entries_.end(),
                                 [node](const Entry& entry) { return entry.node == node; });
    return at == entries_.end() ? nullptr : &*at;
}

const SessionHosts::Entry* SessionHosts::find(const Host& wanted) const {
    const auto at = std::find_if(entries_.begin(), entries_.end(),
                                 [&](const Entry& entry) { return is_meant(entry.host, wanted); });
    return at == entries_.end() ? nullptr : &*at;
}

bool SessionHosts::up(NodeIndex node, Clock::time_point now) {
    Entry* const known = entry(node);
    if (known == nullptr || known->state == State::up) return false;
    known->state = State::up;
    known->since = now;
    return !known->why.empty();
}

bool SessionHosts::down(NodeIndex node, const std::string& why, Clock::time_point now,
                        double jitter) {
    Entry* const known = entry(node);
    if (known == nullptr || known->state == State::down) return false;
    const bool was_steady =
        known->state == State::up && now - known->since >= patience::longest_try_again;
    known->tries = was_steady ? 1 : known->tries + 1;
    known->state = State::down;
    known->since = now;
    known->why = why;
    known->next_try = now + pause_before(known->tries, jitter);
    return true;
}

void SessionHosts::leave(const std::vector<NodeIndex>& nodes) {
    for (Entry* const each : entries_of(nodes)) {
        each->stays = false;
        each->users.clear();
    }
}

void SessionHosts::stay() {
    for (Entry& entry : entries_)
        entry.stays = true;
}

void SessionHosts::want(const std::vector<NodeIndex>& nodes, UserId user) {
    for (Entry* const each : entries_of(nodes))
        each->users.insert(user);
}

void SessionHosts::answer(UserId user, bool they_stay) {
    for (Entry& entry : entries_)
        if (entry.users.erase(user) > 0) entry.stays = entry.stays || they_stay;
}

std::optional<Clock::time_point> SessionHosts::next_try() const {
    std::optional<Clock::time_point> next;
    for (const Entry& entry : entries_)
        if (entry.state == State::down && !entry.leaves())
            next = std::min(next.value_or(entry.next_try), entry.next_try);
    return next;
}

std::vector<Host> SessionHosts::due(Clock::time_point now) const {
    std::vector<Host> hosts;
    for (const Entry& entry : entries_)
        if (entry.state == State::down && !entry.leaves() && entry.next_try <= now)
            hosts.push_back(entry.host);
    return hosts;
}

bool SessionHosts::restart(const Host& host, NodeIndex node, Clock::time_point now) {
    Entry* const known = entry(host);
    if (known == nullptr) return false;
    known->node = node;
    known->state = State::starting;
    known->since = now;
    return true;
}

void SessionHosts::mended(const Host& host) {
    Entry* const known = entry(host);
    if (known == nullptr) return;
    known->host.slots = host.slots;
    known->tries = 0;
}

AddedHosts sort_added(const SessionHosts& hosts, const std::vector<Host>& wanted) {
    AddedHosts added;
    const auto is_named = [](const std::vector<Host>& before, const Host& host) {
        return std::any_of(before.begin(), before.end(), [&](const Host& each) {
            return is_meant(each, host) || is_meant(host, each);
        });
    };
    for (const Host& host : wanted) {
        if (is_named(added.fresh, host) || is_named(added.down, host) ||
            is_named(added.unsure, host)) {
            added.twice.push_back(host);
            continue;
        }
        const auto* entry = hosts.find(host);
        if (entry == nullptr) {
            added.fresh.push_back(host);
            continue;
        }
        if (entry->state == SessionHosts::State::down) {
            added.down.push_back(entry->host);
            if (host.slots > 1) added.down.back().slots = host.slots;
        } else if (entry->state == SessionHosts::State::starting || !entry->stays) {
            added.unsure.push_back(entry->host);
        } else {
            added.there.push_back(host);
        }
    }
    return added;
}

}  // namespace launch
