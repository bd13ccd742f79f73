// SPDX-License-Identifier: MIT
#include "core/session/session_ground.hpp"

#include <algorithm>

#include "core/async/event.hpp"
#include "core/base/seconds.hpp"
#include "core/link/patience.hpp"
#include "core/session/offered_hosts.hpp"
#include "core/session/reservation.hpp"
#include "core/session/session_tree.hpp"
#include "core/session/spawn_plan.hpp"

namespace launch {
namespace {

constexpr milliseconds look_again{20};
/// The number of talks of one job with its session at a time.
constexpr size_t most_talks = 4;

/// Turns a session's answer about hosts into a status.
Status judge_answer(const SessionAnswer& answer, const std::string& operation) {
    if (answer.kind == SessionAnswer::Kind::done) return Ok{};
    std::string why;
    for (const auto& line : answer.lines)
        why += (why.empty() ? "" : "; ") + line;
    return Error{ErrorKind::unreachable, operation, {}, -1, std::move(why), {}};
}

}  // namespace

/// A request of a rank. It ends when its time is over, or when the job is being ended.
class SessionGround::Errand {
  public:
    Errand(const any_io_executor& executor, milliseconds limit, std::stop_token ending)
        : limit_(limit),
          ending_(std::move(ending)),
          timer_(executor, limit),
          ended_(ending_, [stop = stop_]() mutable { stop.request_stop(); }) {
        timer_.async_wait([stop = stop_](std::error_code ec) mutable {
            if (!ec) stop.request_stop();
        });
    }
    Errand(const Errand&) = delete;
    Errand& operator=(const Errand&) = delete;

    std::stop_token stop() const { return stop_.get_token(); }
    /// Why it has failed, by what went wrong last.
    Error failed(Error error) const {
        if (!stop().stop_requested()) return error;
        const std::string cause = ending_.stop_requested()
                                      ? "the job is ending"
                                      : "the session has not answered for " + in_seconds(limit_);
        return {ErrorKind::unreachable, "ask the session", {}, -1, cause, {}};
    }

  private:
    const milliseconds limit_;
    const std::stop_token ending_;
    std::stop_source stop_;
    Timer timer_;
    std::stop_callback<std::function<void()>> ended_;
};

SessionGround::SessionGround(any_io_executor executor, Settings settings,
                             const Factories& factories)
    : executor_(executor),
      settings_(std::move(settings)),
      factories_(factories),
      talks_(std::move(executor), most_talks) {}

awaitable<Result<SessionGround::Met>> SessionGround::meet(const Errand& errand) {
    auto turn = co_await talks_.enter(errand.stop());
    if (!turn) co_return errand.failed({});
    auto talk = co_await settings_.connect(errand.stop());
    if (!talk) co_return errand.failed(std::move(talk.error()));
    auto state = co_await talk->greet();
    if (!state) co_return errand.failed(std::move(state.error()));
    co_return Met{*std::move(turn), *std::move(talk), *std::move(state)};
}

/// Tries again as long as that may help.
template <class Outcome>
awaitable<Outcome> SessionGround::until_slots_are_free(const Errand& errand, Try<Outcome> try_now) {
    const auto deadline = Clock::now() + patience::slots;
    for (;;) {
        auto trying = try_now();
        Tried<Outcome> tried = co_await std::move(trying);
        const bool is_over = errand.stop().stop_requested() || Clock::now() >= deadline;
        if (!tried.may_improve || is_over) co_return std::move(tried.outcome);
        co_await sleep_for(executor_, look_again, errand.stop());
    }
}

/// Processes that this job had asked for before run still, or are about to leave: a rank hears that
/// they are done before their slots are free.
bool SessionGround::others_may_leave(const SessionState& session) const {
    return std::count_if(session.jobs.begin(), session.jobs.end(),
                         [this](const auto& job) { return job.client == settings_.client; }) > 1;
}

awaitable<SessionGround::Tried<Status>> SessionGround::look_for_slots(const Errand& errand,
                                                                      const SpawnSpec& wanted) {
    const auto met = co_await meet(errand);
    if (!met) co_return Tried<Status>{met.error()};
    auto fits = will_have_slots(wanted, settings_.choice, met->state);
    const bool may_improve = !fits && others_may_leave(met->state);
    co_return Tried<Status>{std::move(fits), may_improve};
}

/// Adds the hosts that the session lacks, or that do not run or are to leave. They stay in the
/// session. If one cannot be had, the new ones leave again.
awaitable<Status> SessionGround::add(const Errand& errand, std::vector<Host> hosts) {
    for (int tries = 2; !hosts.empty(); --tries) {
        auto met = co_await meet(errand);
        if (!met) co_return std::move(met.error());
        hosts = hosts_to_add(std::move(hosts), met->state);
        if (hosts.empty()) break;
        SessionRequest request = AddRequest{hosts, false};
        const auto answer = co_await met->talk.ask_patiently(std::move(request));
        // One may have come up between the session's state and its answer.
        const bool may_be_there = answer && answer->kind == SessionAnswer::Kind::unknown_hosts;
        if (may_be_there && tries > 1) continue;
        if (!answer) co_return errand.failed(answer.error());
        auto added = judge_answer(*answer, "add hosts");
        if (added && on_hosts) on_hosts(true, hosts);
        co_return added;
    }
    co_return Ok{};
}

/// Reserves what is free now. Another try may do better if processes are about to leave, or if
/// others have reserved slots that were free when the plan was made.
awaitable<SessionGround::Tried<Result<SessionGround::Reserved>>> SessionGround::try_to_place(
    const Errand& errand, const SpawnSpec& wanted) {
    using Outcome = Tried<Result<Reserved>>;
    auto met = co_await meet(errand);
    if (!met) co_return Outcome{std::move(met.error())};
    const SessionState& state = met->state;
    SessionChoice choice = settings_.choice;
    auto made = plan_spawn(wanted, choice, state, factories_);
    const bool is_full = !made && made.error() == no_room(state);
    if (is_full && wanted.may_crowd && !choice.shares) {
        choice.shares = true;
        made = plan_spawn(wanted, choice, state, factories_);
    }
    if (!made && made.error() == no_room(state))
        co_return Outcome{no_room_for_spawned(state), others_may_leave(state)};
    if (!made) co_return Outcome{std::move(made.error())};
    const auto number = co_await reserve_slots_of(met->talk, *made, choice.shares);
    if (!number) co_return Outcome{errand.failed(number.error())};
    if (!*number) co_return Outcome{no_room_for_spawned(state), true};
    co_return Outcome{Reserved{*std::move(met), *std::move(made)}};
}

awaitable<Status> SessionGround::grow(std::vector<Host> hosts) {
    const auto limit = patience::session + usual_start_limit(settings_.policies, hosts.size());
    const Errand errand(executor_, limit, ending_.get_token());
    co_return co_await add(errand, std::move(hosts));
}

awaitable<Status> SessionGround::release(std::vector<Host> hosts) {
    const Errand errand(executor_, patience::session + patience::remove, ending_.get_token());
    auto met = co_await meet(errand);
    if (!met) co_return std::move(met.error());
    SessionRequest request = RemoveRequest{hosts, RemoveRequest::When::unused};
    const auto answer = co_await met->talk.ask_patiently(std::move(request));
    if (!answer) co_return errand.failed(answer.error());
    auto released = judge_answer(*answer, "release");
    if (released && on_hosts) on_hosts(false, hosts);
    co_return released;
}

awaitable<Result<SpawnGround::Place>> SessionGround::place(SpawnSpec wanted, uint32_t space) {
    auto limit = patience::session;
    if (!wanted.added.empty())
        limit += usual_start_limit(wanted.spec.policies, wanted.added.size());
    const Errand errand(executor_, limit, ending_.get_token());
    if (!wanted.added.empty() && !settings_.choice.shares) {
        Try<Status> look = [&] { return look_for_slots(errand, wanted); };
        const auto fits = co_await until_slots_are_free(errand, std::move(look));
        if (!fits) co_return fits.error();
    }
    const auto added = co_await add(errand, wanted.added);
    if (!added) co_return added.error();
    Try<Result<Reserved>> reserve = [&] { return try_to_place(errand, wanted); };
    auto got = co_await until_slots_are_free(errand, std::move(reserve));
    if (!got) co_return std::move(got.error());
    co_return place_on(*std::move(got), space);
}

SpawnGround::Place SessionGround::place_on(Reserved got, uint32_t space) const {
    Place place;
    place.plan = std::move(got.made.plan);
    place.plan.space = space;
    place.plan.universe_size = std::max(settings_.universe_size, place.plan.placement.ranks());
    const SessionState& state = got.met.state;
    SessionTree::Settings tree{state.name, state.topology == "hypercube",
                               std::move(got.made.nodes)};
    place.tree =
        std::make_unique<SessionTree>(executor_, std::move(tree), got.met.talk.take_stream());
    return place;
}

void SessionGround::end() {
    ending_.request_stop();
    ending_ = std::stop_source();
}

}  // namespace launch
