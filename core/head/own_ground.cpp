// SPDX-License-Identifier: MIT
#include "core/head/own_ground.hpp"

#include <algorithm>
#include <numeric>

#include "core/base/host_name.hpp"
#include "core/base/list_text.hpp"
#include "core/head/guest_tree.hpp"
#include "core/head/report.hpp"
#include "core/hosts/hostlist.hpp"
#include "core/job/deal.hpp"
#include "core/link/patience.hpp"

namespace launch {
namespace {

Error not_started(ErrorKind kind, std::string cause, std::string hint) {
    return {kind, "start hosts", {}, -1, std::move(cause), std::move(hint)};
}

Error not_released(const std::vector<std::string>& hosts, std::string cause) {
    return {ErrorKind::usage, "release", fold_names(hosts), -1, std::move(cause), {}};
}

/// With ppn, all ppn slots of a host count as taken if it lacks room for ppn more processes, else
/// none.
std::vector<uint32_t> taken_slots(const JobSpec& spec, const std::vector<Host>& hosts,
                                  const std::vector<uint32_t>& used) {
    if (spec.ppn == 0) return used;
    std::vector<uint32_t> taken;
    for (size_t i = 0; i < hosts.size(); ++i)
        taken.push_back(uint64_t{used[i]} + spec.ppn > hosts[i].slots ? spec.ppn : 0);
    return taken;
}

}  // namespace

OwnGround::OwnGround(any_io_executor executor, HeadTree& tree, const Plan& plan,
                     const Factories& factories)
    : executor_(executor), tree_(tree), plan_(plan), factories_(factories), changed_(executor) {}

GroundHosts& OwnGround::hosts() {
    if (!hosts_) {
        hosts_.emplace(plan_.hosts, plan_.unused);
        std::vector<uint32_t> places(plan_.hosts.size());
        std::iota(places.begin(), places.end(), 0U);
        hosts_->take(plan_.placement, places);
    }
    hosts_->lose([this](NodeIndex node) { return !is_starting(node) && !is_up(node); });
    return *hosts_;
}

bool OwnGround::is_named(const Host& host, const SpawnSpec& wanted) const {
    const auto means_it = [&](const Host& each) { return is_wanted(host, each, own_name()); };
    return std::any_of(wanted.added.begin(), wanted.added.end(), means_it) ||
           std::any_of(wanted.hosts.begin(), wanted.hosts.end(), [&](const auto& hosts) {
               return std::any_of(hosts.begin(), hosts.end(), means_it);
           });
}

bool OwnGround::is_starting(NodeIndex node) const {
    return !tree_.hosts().is_known(node);
}

bool OwnGround::is_up(NodeIndex node) const {
    return tree_.hosts().is_up(node);
}

std::vector<Host> OwnGround::hosts_of(const std::vector<uint32_t>& places) const {
    std::vector<Host> hosts;
    for (const uint32_t place : places)
        hosts.push_back(hosts_->at(place).host);
    return hosts;
}

std::string OwnGround::own_name() const {
    return plan_.local ? host_name() : std::string();
}

Result<OwnGround::Dealt> OwnGround::deal(const SpawnSpec& wanted) {
    const auto offer = hosts_->offer([&](const GroundHosts::Entry& entry) {
        return is_up(entry.node) || is_named(entry.host, wanted);
    });
    auto choices = spawn_choices(wanted.hosts, offer.hosts, own_name());
    if (!choices) {
        if (!plan_.local) choices.error().hint = "the MPI info key add-host adds hosts";
        return std::move(choices.error());
    }
    const JobSpec& spec = wanted.spec;
    auto deal = deal_ranks(spec, asked_ranks(spec.programs), offer.hosts, *choices,
                           taken_slots(spec, offer.hosts, offer.used));
    if (!deal) return std::move(deal.error());
    const auto used = deal->placement.used();
    Dealt dealt{deal->placement.picked(used), {}, Ok{}};
    // If no hosts were named, the number of slots of this machine is unknown.
    if (!plan_.local)
        dealt.fits = keep_to_slots(wanted, {deal->placement, offer.hosts, *choices, offer.used});
    for (const uint32_t each : used)
        dealt.places.push_back(offer.places[each]);
    return dealt;
}

/// Starts those of these hosts that have not been started, and waits for all. The error names every
/// host that did not come up, and why.
awaitable<Status> OwnGround::start(const std::vector<uint32_t>& places) {
    const auto idle = hosts_->idle(places);
    if (!idle.empty() && plan_.local)
        co_return not_started(ErrorKind::usage,
                              "this job was started without hosts, so it cannot add any",
                              "start it with -hosts; this machine may be one of them");
    if (!tree_.has_numbers_for(idle.size()))
        co_return not_started(ErrorKind::usage, "too many hosts for one tree", {});
    const auto joining = tree_.grow(hosts_of(idle)).nodes;
    for (size_t i = 0; i < idle.size(); ++i)
        hosts_->joins(idle[i], joining[i]);
    HeadTree::Growth growth;
    for (const uint32_t place : places)
        growth.nodes.push_back(hosts_->at(place).node);
    co_await tree_.complete(growth);
    changed_.notify();  // others may wait for slots
    std::vector<uint32_t> came;
    for (size_t i = 0; i < idle.size(); ++i)
        if (growth.failure_of(joining[i]) == nullptr) came.push_back(idle[i]);
    tell(true, came);
    if (growth.failures.empty()) co_return Ok{};
    if (ends_) co_return not_started(ErrorKind::usage, "the job is ending", {});
    const auto lines = host_failure_lines(growth.failures);
    co_return not_started(ErrorKind::unreachable, joined(lines, "; "), {});
}

Plan OwnGround::plan(JobSpec spec, const Dealt& dealt, uint32_t space) const {
    Plan plan;
    plan.space = space;
    plan.local = plan_.local;
    plan.hosts = tree_.hosts().all();
    plan.process_mapping = factories_.process_mapping(dealt.placement);
    std::vector<uint32_t> nodes;
    for (const uint32_t place : dealt.places)
        nodes.push_back(hosts_->at(place).node - 1);
    plan.placement = dealt.placement.arranged(nodes, plan.hosts.size());
    plan.universe_size = std::max(plan_.universe_size, plan.placement.ranks());
    plan.spec = std::move(spec);
    return plan;
}

awaitable<Result<SpawnGround::Place>> OwnGround::place(SpawnSpec wanted, uint32_t space) {
    auto added = hosts().add(wanted.added, own_name());
    auto dealt = deal(wanted);
    const auto deadline = Clock::now() + patience::slots;
    while (dealt && !dealt->fits && placed_ > 0 && !ends_ && Clock::now() < deadline) {
        hosts_->undo(added);  // others may ask meanwhile
        co_await changed_.wait_until(deadline);
        added = hosts().add(wanted.added, own_name());
        dealt = deal(wanted);
    }
    if (!dealt || !dealt->fits) {
        hosts_->undo(added);
        co_return dealt ? dealt->fits.error() : std::move(dealt.error());
    }
    hosts_->take(dealt->placement, dealt->places);
    ++placed_;
    auto give_back = [this, dealt = *dealt] {
        hosts_->give_back(dealt.placement, dealt.places);
        --placed_;
        changed_.notify();
    };
    auto started = co_await start(dealt->places);
    if (!started) {
        give_back();
        if (started.error().kind == ErrorKind::usage) hosts_->undo(added);
        co_return std::move(started.error());
    }
    Place place;
    place.plan = plan(std::move(wanted.spec), *dealt, space);
    place.tree =
        std::make_unique<GuestTree>(executor_, tree_, JobNumber{++last_job_}, std::move(give_back));
    co_return place;
}

void OwnGround::tell(bool joined, const std::vector<uint32_t>& places) const {
    if (!places.empty() && on_hosts) on_hosts(joined, hosts_of(places));
}

awaitable<Status> OwnGround::grow(std::vector<Host> hosts) {
    const auto added = this->hosts().add(hosts, own_name());
    std::vector<uint32_t> places;
    for (const Host& host : hosts)
        places.push_back(*hosts_->find(host, own_name()));
    // A host may have been named twice, as another user's, too.
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    auto started = co_await start(places);
    if (!started && started.error().kind == ErrorKind::usage) hosts_->undo(added);
    co_return started;
}

/// Their places. A host that has not been started can be released, too.
Result<std::vector<uint32_t>> OwnGround::releasable(const std::vector<Host>& wanted) {
    std::vector<uint32_t> places;
    std::vector<std::string> unknown;
    std::vector<std::string> busy;
    std::vector<std::string> starting;
    const GroundHosts& known = hosts();
    for (const Host& host : wanted) {
        const auto place = known.find(host, own_name());
        const auto* entry = place ? &hosts_->at(*place) : nullptr;
        if (entry == nullptr || entry->state == GroundHosts::State::gone)
            unknown.push_back(host.name);
        else if (entry->used > 0)
            busy.push_back(host.name);
        else if (is_starting(entry->node))
            starting.push_back(host.name);
        else
            places.push_back(*place);
    }
    if (!unknown.empty()) return not_released(unknown, "not a host of this job");
    if (!busy.empty()) return not_released(busy, "processes of the job still run there");
    if (!starting.empty()) return not_released(starting, "still being started");
    return places;
}

awaitable<Status> OwnGround::release(std::vector<Host> hosts) {
    const auto places = releasable(hosts);
    if (!places) co_return places.error();
    std::vector<NodeIndex> nodes;
    std::vector<uint32_t> ran;
    for (const uint32_t place : *places) {
        if (hosts_->at(place).state == GroundHosts::State::in_tree) {
            nodes.push_back(hosts_->at(place).node);
            ran.push_back(place);
        }
        hosts_->leaves(place);
    }
    co_await tree_.remove(std::move(nodes), false);
    tell(false, ran);
    co_return Ok{};
}

void OwnGround::end() {
    ends_ = true;
    tree_.end_growth();
    changed_.notify();
}

}  // namespace launch
