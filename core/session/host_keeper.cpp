// SPDX-License-Identifier: MIT
#include "core/session/host_keeper.hpp"

#include <algorithm>

#include "core/base/random.hpp"
#include "core/base/unix_time.hpp"
#include "core/head/report.hpp"
#include "core/hosts/hostlist.hpp"

namespace launch {
namespace {

/// From 0 to 1.
double random_part() {
    return static_cast<double>(random_number()) / static_cast<double>(UINT32_MAX);
}

std::string folded(const std::vector<Host>& hosts) {
    std::vector<std::string> names;
    for (const Host& host : hosts)
        names.push_back(host.name);
    return fold_names(std::move(names));
}

SessionAnswer refusal(SessionAnswer::Kind kind, std::vector<std::string> lines) {
    SessionAnswer answer;
    answer.kind = kind;
    answer.lines = std::move(lines);
    return answer;
}

uint64_t as_seconds(Clock::time_point at) {
    const auto left = std::chrono::ceil<std::chrono::seconds>(at - Clock::now());
    return unix_seconds_now() + static_cast<uint64_t>(std::max<int64_t>(left.count(), 0));
}

}  // namespace

HostKeeper::HostKeeper(any_io_executor executor, HeadTree& tree, const std::vector<Host>& hosts,
                       SlotLedger& slots, SessionLog& log, Owner owner)
    : executor_(executor),
      tree_(tree),
      slots_(slots),
      log_(log),
      owner_(std::move(owner)),
      changed_(executor),
      tasks_(executor) {
    hosts_.add(hosts, 1, Clock::now());
    for (NodeIndex node = 1; node <= hosts.size(); ++node)
        slots_.add(node, hosts[node - 1].slots);
    hosts_.stay();
}

std::vector<SessionHost> HostKeeper::state() const {
    std::vector<SessionHost> hosts;
    for (const auto& entry : hosts_.all()) {
        SessionHost host;
        host.host = entry.host;
        host.node = entry.node;
        host.up = entry.state == SessionHosts::State::up;
        host.leaves = entry.leaves();
        host.used = slots_.used(entry.node);
        if (!host.up) host.why = entry.why;
        if (entry.state == SessionHosts::State::down) host.next_try = as_seconds(entry.next_try);
        hosts.push_back(std::move(host));
    }
    return hosts;
}

size_t HostKeeper::count_up() const {
    const auto& all = hosts_.all();
    return static_cast<size_t>(std::count_if(all.begin(), all.end(), [](const auto& entry) {
        return entry.state == SessionHosts::State::up;
    }));
}

/// One that was taken out while it was being started has come for nothing.
void HostKeeper::up(const std::vector<NodeIndex>& nodes) {
    std::vector<NodeIndex> unwanted;
    for (const NodeIndex node : nodes) {
        const auto* entry = hosts_.find(node);
        if (entry == nullptr) {
            unwanted.push_back(node);
        } else if (hosts_.up(node, Clock::now())) {
            log_.add(entry->host.name + ": is up again");
        }
    }
    if (!unwanted.empty()) tasks_.spawn(remove_nodes(std::move(unwanted), false));
    changed_.notify();
}

void HostKeeper::lose(NodeIndex node, const std::string& why) {
    slots_.remove(node);
    const auto* entry = hosts_.find(node);
    if (entry != nullptr && entry->leaves()) return hosts_.remove({node});
    hosts_.down(node, why, Clock::now(), random_part());
}

void HostKeeper::failed(const FailureMessage& failure) {
    lose(failure.node, describe(failure.error));
    for (const NodeRange& range : failure.below)
        for (NodeIndex i = 0; i < range.count; ++i)
            lose(range.first + i, "lost with " + tree_.hosts().name_of(failure.node));
    changed_.notify();
}

void HostKeeper::let_idle_leave() {
    std::vector<NodeIndex> idle;
    for (const auto& entry : hosts_.all())
        if (entry.leaves() && slots_.used(entry.node) == 0) idle.push_back(entry.node);
    if (!idle.empty()) tasks_.spawn(remove_nodes(std::move(idle), false));
}

awaitable<void> HostKeeper::keep() {
    while (!stops_) {
        auto due = hosts_.due(Clock::now());
        if (!due.empty() && tree_.has_numbers_for(due.size())) {
            try_again(std::move(due));
            continue;
        }
        const auto next = due.empty() ? hosts_.next_try() : std::nullopt;
        co_await changed_.wait_until(next.value_or(Clock::time_point::max()));
    }
}

void HostKeeper::stop() {
    stops_ = true;
    tree_.end_growth();
    changed_.notify();
}

void HostKeeper::try_again(std::vector<Host> hosts) {
    auto growth = tree_.grow(hosts);
    enlist(hosts, growth);
    tasks_.spawn(complete(std::move(growth)));
}

/// They are being started.
void HostKeeper::enlist(const std::vector<Host>& hosts, const HeadTree::Growth& growth) {
    for (size_t i = 0; i < hosts.size(); ++i) {
        const NodeIndex node = growth.nodes[i];
        const auto now = Clock::now();
        if (!hosts_.restart(hosts[i], node, now)) hosts_.add({hosts[i]}, node, now);
        slots_.add(node, hosts[i].slots);
    }
}

/// The tree tells what comes of it.
awaitable<void> HostKeeper::complete(HeadTree::Growth growth) {
    co_await tree_.complete(growth);
}

/// The session does not have them any more when this returns, and no job gets them; they leave
/// while the result is waited for.
awaitable<void> HostKeeper::remove_nodes(std::vector<NodeIndex> nodes, bool now) {
    for (const NodeIndex node : nodes)
        slots_.remove(node);
    hosts_.remove(nodes);
    owner_.changed();
    return dismiss(std::move(nodes), now);
}

awaitable<void> HostKeeper::dismiss(std::vector<NodeIndex> nodes, bool now) {
    if (nodes.empty()) co_return;
    std::vector<std::string> names;
    for (const NodeIndex node : nodes)
        names.push_back(tree_.hosts().name_of(node));
    co_await tree_.remove(std::move(nodes), now);
    log_.add(fold_names(std::move(names)) + ": removed");
}

/// Adds hosts. A user who names a host that is down has repaired it, so it is tried at once.
awaitable<SessionAnswer> HostKeeper::add(AddRequest request) {
    const AddedHosts added = sort_added(hosts_, request.hosts);
    if (!added.there.empty())
        co_return refusal(SessionAnswer::Kind::unknown_hosts,
                          {folded(added.there) + ": already in the session"});
    if (!added.twice.empty())
        co_return refusal(SessionAnswer::Kind::unknown_hosts,
                          {folded(added.twice) + ": named twice"});
    std::vector<Host> all = added.fresh;
    all.insert(all.end(), added.down.begin(), added.down.end());
    if (!tree_.has_numbers_for(all.size()))
        co_return refusal(SessionAnswer::Kind::unknown_hosts,
                          {"too many hosts were added during this session; start a new session"});
    for (const Host& host : added.down)
        hosts_.mended(host);
    auto growth = tree_.grow(all);
    enlist(all, growth);
    for (const Host& host : added.unsure)
        growth.nodes.push_back(hosts_.find(host)->node);
    const SessionHosts::UserId user = ++last_user_;
    hosts_.want(growth.nodes, user);
    owner_.changed();
    co_await tree_.complete(growth);
    if (stops_) co_return refusal(SessionAnswer::Kind::hosts_failed, {"the session ends"});
    const bool whole = growth.failures.empty();
    const bool they_stay = whole || request.allow_missing;
    if (!added.fresh.empty() && they_stay)
        log_.add(folded(added.fresh) + (whole ? ": added" : ": added, in part"));
    hosts_.answer(user, they_stay);
    let_idle_leave();
    owner_.changed();
    if (whole) co_return SessionAnswer{};
    co_return refusal(SessionAnswer::Kind::hosts_failed, host_failure_lines(growth.failures));
}

awaitable<SessionAnswer> HostKeeper::remove(RemoveRequest request) {
    std::vector<Host> unknown;
    std::vector<NodeIndex> used;
    std::vector<NodeIndex> idle;
    for (const Host& host : request.hosts)
        if (hosts_.find(host) == nullptr) unknown.push_back(host);
    for (const auto& entry : hosts_.all())
        if (is_among(entry.host, request.hosts))
            (slots_.used(entry.node) > 0 ? used : idle).push_back(entry.node);
    if (!unknown.empty())
        co_return refusal(SessionAnswer::Kind::unknown_hosts,
                          {folded(unknown) + ": not a host of the session"});
    if (!used.empty() && request.when == RemoveRequest::When::unused)
        co_return refusal(SessionAnswer::Kind::in_use, owner_.users(used));
    const bool takes_used = request.when == RemoveRequest::When::now && !used.empty();
    if (takes_used)
        idle.insert(idle.end(), used.begin(), used.end());
    else
        hosts_.leave(used);
    co_await remove_nodes(idle, takes_used);
    co_return SessionAnswer{};
}

}  // namespace launch
