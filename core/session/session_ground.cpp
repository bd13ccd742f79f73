// SPDX-License-Identifier: MIT
#include "core/session/session_ground.hpp"

#include <algorithm>
#include <unistd.h>

#include "core/base/host_name.hpp"
#include "core/hosts/hostlist.hpp"
#include "core/job/deal.hpp"
#include "core/link/patience.hpp"
#include "core/session/offered_hosts.hpp"
#include "core/session/session_client.hpp"
#include "core/session/session_hosts.hpp"
#include "core/session/session_plan.hpp"
#include "core/session/session_tree.hpp"

namespace launch {
namespace {

constexpr milliseconds look_again{20};

struct Reserved {
    SessionClient client;
    SessionPlan made;
};

/// The result of a spawn: hosts may have joined the session even if there is no room.
struct Reservation {
    std::vector<Host> added;
    std::optional<Result<Reserved>> place;
};

/// All that are wanted, and where a program may run anywhere those with room that the job has not
/// left out.
std::vector<Host> hosts_for(const std::vector<std::vector<Host>>& wanted,
                            const std::vector<Host>& unwanted, const SessionState& session) {
    std::vector<Host> hosts;
    for (const auto& each : wanted)
        hosts.insert(hosts.end(), each.begin(), each.end());
    if (hosts.empty()) return hosts;
    const bool anywhere =
        std::any_of(wanted.begin(), wanted.end(), [](const auto& each) { return each.empty(); });
    for (const auto& host : session.hosts)
        if (anywhere && host.up && host.used < host.host.slots && !is_among(host.host, unwanted))
            hosts.push_back(host.host);
    return merge_hosts(std::move(hosts));
}

/// Plans the spawn with the job's choice, except its number of hosts: there may be no room for more
/// on those.
Result<SessionPlan> plan_for(SpawnSpec wanted, SessionChoice choice, const SessionState& session,
                             const Factories& factories) {
    choice.most = 0;
    wanted.spec.hosts = hosts_for(wanted.hosts, choice.unwanted, session);
    if (!wanted.spec.hosts.empty()) {
        auto choices = spawn_choices(wanted.hosts, wanted.spec.hosts,
                                     session.is_here ? host_name() : std::string());
        if (!choices) return std::move(choices.error());
        wanted.spec.choices = *std::move(choices);
    }
    return plan_in_session(std::move(wanted.spec), std::move(choice), session, factories);
}

bool stays(const SessionState& session, const Host& wanted) {
    const std::string own_name = session.is_here ? host_name() : std::string();
    return std::any_of(session.hosts.begin(), session.hosts.end(), [&](const SessionHost& each) {
        return each.up && !each.leaves && is_wanted(each.host, wanted, own_name);
    });
}

/// As it will have them when those are added that it has not.
std::vector<Host> free_slots(std::vector<Host> hosts, const SessionState& session) {
    const std::string own_name = session.is_here ? host_name() : std::string();
    for (Host& host : hosts)
        for (const SessionHost& known : session.hosts)
            if (is_wanted(known.host, host, own_name))
                host.slots = known.host.slots - std::min(known.used, known.host.slots);
    return hosts;
}

/// Hosts that join a session stay with it: asked before they do.
Status has_slots(const SpawnSpec& wanted, const SessionChoice& choice,
                 const SessionState& session) {
    const auto hosts = free_slots(hosts_for(wanted.hosts, choice.unwanted, session), session);
    const auto choices = spawn_choices(wanted.hosts, hosts, {});
    if (!choices) return choices.error();
    const JobSpec& spec = wanted.spec;
    const auto deal = deal_ranks(spec, asked_ranks(spec.programs), hosts, *choices);
    if (!deal) return deal.error();
    return keep_to_slots(wanted, {deal->placement, hosts, *choices, {}});
}

/// Turns a session's answer about hosts into a status.
Status judge_answer(const Result<SessionAnswer>& answer, const std::string& operation) {
    if (!answer) return answer.error();
    if (answer->kind == SessionAnswer::Kind::done) return Ok{};
    std::string why;
    for (const auto& line : answer->lines)
        why += (why.empty() ? "" : "; ") + line;
    return Error{ErrorKind::unreachable, operation, {}, -1, std::move(why), {}};
}

/// Adds the hosts that the session lacks, or that do not run or are to leave, and returns them.
/// They stay in the session. If one cannot be had, the new ones leave again.
Result<std::vector<Host>> add_hosts(std::vector<Host> hosts,
                                    const SessionGround::Settings& settings) {
    for (int tries = 2;; --tries) {
        if (hosts.empty()) return hosts;
        auto client = SessionClient::connect(settings.place, settings.session);
        if (!client) return std::move(client.error());
        name_own_machine(hosts, client->state().hosts);
        std::erase_if(hosts, [&](const Host& host) { return stays(client->state(), host); });
        if (hosts.empty()) return hosts;
        const auto answer = client->ask_patiently(AddRequest{hosts, false});
        // One may have come up between the session's state and its answer.
        const bool may_be_there = answer && answer->kind == SessionAnswer::Kind::unknown_hosts;
        if (may_be_there && tries > 1) continue;
        const auto added = judge_answer(answer, "add hosts");
        if (!added) return added.error();
        return hosts;
    }
}

Status release_hosts(std::vector<Host> hosts, const SessionGround::Settings& settings) {
    auto client = SessionClient::connect(settings.place, settings.session);
    if (!client) return std::move(client.error());
    RemoveRequest request;
    request.hosts = std::move(hosts);
    return judge_answer(client->ask_patiently(std::move(request)), "release");
}

/// The outcome of a try. Another try may do better when slots are free.
template <class Outcome>
struct Tried {
    Outcome outcome;
    bool may_improve = false;
};

/// Processes that this job had asked for before run still, or are about to leave: a rank hears that
/// they are done before their slots are free.
bool others_may_leave(const SessionState& session) {
    const auto own = static_cast<uint32_t>(getpid());
    return std::count_if(session.jobs.begin(), session.jobs.end(),
                         [own](const auto& job) { return job.client == own; }) > 1;
}

/// Slots are not free, as a rank hears it, not a user.
Error no_room_for_spawned(const SessionState& state) {
    Error error = no_room(state);
    error.hint = crowding_hint;
    return error;
}

/// Reserves what is free now. Another try may do better if processes are about to leave, or if
/// others have reserved slots that were free when the plan was made.
Tried<Result<Reserved>> reserve_now(const SpawnSpec& wanted,
                                    const SessionGround::Settings& settings,
                                    const Factories& factories) {
    auto client = SessionClient::connect(settings.place, settings.session);
    if (!client) return {std::move(client.error())};
    const SessionState state = client->state();
    SessionChoice choice = settings.choice;
    auto made = plan_for(wanted, choice, state, factories);
    const bool is_full = !made && made.error() == no_room(state);
    if (is_full && wanted.may_crowd && !choice.shares) {
        choice.shares = true;
        made = plan_for(wanted, choice, state, factories);
    }
    if (!made && made.error() == no_room(state))
        return {no_room_for_spawned(state), others_may_leave(state)};
    if (!made) return {std::move(made.error())};
    const auto answer =
        client->ask(ReserveRequest{made->nodes.parts(made->plan.placement), choice.shares});
    if (!answer) return {answer.error()};
    if (answer->kind != SessionAnswer::Kind::done) return {no_room_for_spawned(state), true};
    return {Reserved{*std::move(client), *std::move(made)}};
}

/// Tries again as long as that may help.
template <class Outcome, class Try>
Outcome try_until_slots_are_free(const Try& try_now) {
    const auto deadline = Clock::now() + patience::slots;
    for (;;) {
        Tried<Outcome> tried = try_now();
        if (!tried.may_improve || Clock::now() >= deadline) return std::move(tried.outcome);
        Clock::pause(look_again);
    }
}

Status may_add(const SpawnSpec& wanted, const SessionGround::Settings& settings) {
    if (wanted.added.empty() || settings.choice.shares) return Ok{};
    return try_until_slots_are_free<Status>([&]() -> Tried<Status> {
        auto client = SessionClient::connect(settings.place, settings.session);
        if (!client) return {std::move(client.error())};
        auto fits = has_slots(wanted, settings.choice, client->state());
        const bool may_improve = !fits && others_may_leave(client->state());
        return {std::move(fits), may_improve};
    });
}

Result<Reserved> reserve(const SpawnSpec& wanted, const SessionGround::Settings& settings,
                         const Factories& factories, std::vector<Host>& joined) {
    const auto fits = may_add(wanted, settings);
    if (!fits) return fits.error();
    auto added = add_hosts(wanted.added, settings);
    if (!added) return std::move(added.error());
    joined = *std::move(added);
    return try_until_slots_are_free<Result<Reserved>>(
        [&] { return reserve_now(wanted, settings, factories); });
}

}  // namespace

SessionGround::SessionGround(any_io_executor executor, Settings settings,
                             const Factories& factories)
    : executor_(executor),
      settings_(std::move(settings)),
      factories_(factories),
      pool_(std::move(executor), 4) {}

/// The work owns all that it touches, as it may outlive this.
awaitable<Status> SessionGround::in_background(std::function<void()> work, milliseconds limit) {
    const auto stop = stop_.get_token();
    const bool done = co_await pool_.run(std::move(work), limit, stop);
    if (done) co_return Ok{};
    if (auto refused = pool_.no_thread(); refused && !stop.stop_requested())
        co_return *std::move(refused);
    const std::string cause = stop.stop_requested()
                                  ? "the job is ending"
                                  : "session " + settings_.session + " does not answer";
    co_return Error{ErrorKind::unreachable, "ask the session", {}, -1, cause, {}};
}

awaitable<Status> SessionGround::grow(std::vector<Host> hosts) {
    const auto added = std::make_shared<std::optional<Result<std::vector<Host>>>>();
    const auto limit = patience::session + usual_start_limit(settings_.policies, hosts.size());
    std::function<void()> work = [added, hosts = std::move(hosts), settings = settings_] {
        added->emplace(add_hosts(hosts, settings));
    };
    const auto done = co_await in_background(std::move(work), limit);
    if (!done) co_return done.error();
    if (!**added) co_return (**added).error();
    if (!(***added).empty() && on_hosts) on_hosts(true, ***added);
    co_return Ok{};
}

awaitable<Status> SessionGround::release(std::vector<Host> hosts) {
    const auto released = std::make_shared<std::optional<Status>>();
    std::function<void()> work = [released, hosts, settings = settings_] {
        released->emplace(release_hosts(hosts, settings));
    };
    const auto done = co_await in_background(std::move(work), patience::session + patience::remove);
    if (!done) co_return done.error();
    if (!**released) co_return (**released).error();
    if (on_hosts) on_hosts(false, hosts);
    co_return Ok{};
}

awaitable<Result<SpawnGround::Place>> SessionGround::place(SpawnSpec wanted, uint32_t space) {
    auto limit = patience::session;
    if (!wanted.added.empty())
        limit += usual_start_limit(wanted.spec.policies, wanted.added.size());
    const auto made = std::make_shared<Reservation>();
    std::function<void()> work = [made, wanted = std::move(wanted), settings = settings_,
                                  factories = factories_] {
        made->place.emplace(reserve(wanted, settings, factories, made->added));
    };
    const auto done = co_await in_background(std::move(work), limit);
    if (!done) co_return done.error();
    if (!made->added.empty() && on_hosts) on_hosts(true, made->added);
    if (!*made->place) co_return std::move(made->place->error());
    Reserved& got = **made->place;
    Place place;
    place.plan = std::move(got.made.plan);
    place.plan.space = space;
    place.plan.universe_size = std::max(settings_.universe_size, place.plan.placement.ranks());
    const SessionState& state = got.client.state();
    SessionTree::Settings tree{state.name, state.topology == "hypercube",
                               std::move(got.made.nodes)};
    place.tree = std::make_unique<SessionTree>(executor_, std::move(tree),
                                               got.client.take_stream(executor_));
    co_return place;
}

void SessionGround::end() {
    stop_.request_stop();
    stop_ = std::stop_source();
}

}  // namespace launch
