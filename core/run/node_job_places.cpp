// SPDX-License-Identifier: MIT
// Where on the machine the ranks of a node run, and the port of a rendezvous.

#include <memory>
#include <set>

#include "core/base/interfaces.hpp"
#include "core/base/seconds.hpp"
#include "core/bind/bind_ranks.hpp"
#include "core/job/program_index.hpp"
#include "core/process/cpus.hpp"
#include "core/run/node_job.hpp"

namespace launch {
namespace {

/// A try fails only where another job was faster. After the last one the ranks run where they were
/// placed, though nothing is held for them.
constexpr int most_tries = 100;

}  // namespace

/// Chooses the CPUs and GPUs of the ranks, once, in another thread, because a large machine takes a
/// while to read. CPUs of other jobs here are avoided while enough others are free; if one of these
/// jobs has chosen in the meantime, this one chooses again. On a machine where several relays play
/// hosts, nothing is bound unless asked for, because all would take the same CPUs.
awaitable<void> NodeJob::find_places(std::vector<RankRun> runs) {
    if (places_) co_return;
    PlaceChoice choice = job_.policies.place;
    const bool is_asked = resolved_bind(choice).how != BindChoice::How::automatic;
    const bool plays_host = here_.remote && surroundings_.tree.is_local() && job_.nodes > 1;
    if (plays_host && !is_asked) choice.bind.how = BindChoice::How::none;
    if (!wants_places(choice, runs, usable_cpus())) {
        places_.emplace();
        co_return;
    }
    RankPlaces places;
    std::optional<HostCpus::Claim> claim;
    for (int tries = 0; tries < most_tries && !claim; ++tries) {
        const CpuSet taken = share_.cpus().taken();
        PlaceRequest request{choice, runs, job_.env};
        request.claimed = taken;
        places = co_await read_places(std::move(request));
        claim = share_.cpus().claim(places.own, taken);
    }
    if (claim) ranks_.hold(std::move(*claim));
    places_ = std::move(places);
}

awaitable<RankPlaces> NodeJob::read_places(PlaceRequest request) {
    const auto found = std::make_shared<RankPlaces>();
    std::function<void()> work = [found, request = std::move(request),
                                  read = surroundings_.read_machine] {
        *found = find_rank_places(request, read);
    };
    const auto patience = job_.policies.start_timeout;
    const bool done =
        co_await share_.threads().run(std::move(work), patience, no_start_.get_token());
    if (done) co_return std::move(*found);
    if (const auto refused = share_.threads().no_thread())
        co_return RankPlaces{.failure = refused->cause, .failed = ExitStatus::Stage::fork};
    co_return RankPlaces{.failure = "hwloc did not report the CPUs of this machine within " +
                                    in_seconds(patience)};
}

/// All programs with ranks here, if these cannot run as requested.
std::vector<UnreadyMessage::Program> NodeJob::unplaced(const std::vector<RankRun>& runs) const {
    std::vector<UnreadyMessage::Program> unready;
    if (!places_ || places_->failure.empty()) return unready;
    std::set<size_t> seen;
    for_each_rank(runs, [&](uint32_t rank) {
        const size_t program = program_index(job_.programs, rank);
        if (seen.insert(program).second)
            unready.push_back({static_cast<uint32_t>(program), not_placed(*places_)});
    });
    return unready;
}

/// That spawned processes are not bound is no news where the ranks of their job have all cores.
void NodeJob::tell_places() {
    const bool is_news = !places_->note.empty() && !job_.origin.is_spawned();
    if (is_news) upstream_.notice({here_.self, false, places_->note});
    for (auto& line : places_->drawn)
        upstream_.notice({here_.self, false, std::move(line)});
    places_->drawn.clear();
}

/// The one by which the tree has reached this host, which so is known to work; empty: it was not
/// asked for, or is not known. A machine alone was reached by nobody.
std::string NodeJob::interface_for_ranks() {
    if (!job_.policies.rendezvous_interface || !here_.remote) return {};
    auto found = interface_with(here_.address, interface_addresses());
    if (found.empty())
        upstream_.notice(
            {here_.self, false,
             "the network interface of this host is not known, so launch sets none for "
             "its ranks"});
    return found;
}

/// Holds a port on the host of rank 0, if that is known; the head reports it to all hosts, unless
/// this is the only one.
void NodeJob::hold_port() {
    if (job_.policies.rendezvous == RendezvousChoice::none || port_) return;
    const auto* own = assignment_ ? assignment_->part_at(here_.self) : nullptr;
    if (own != nullptr ? index(own->host) == 0 : job_.placed_late) port_ = HeldPort::find();
}

}  // namespace launch
