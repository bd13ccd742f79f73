// SPDX-License-Identifier: MIT
#include "tests/unit/core/harness/session_world.hpp"

#include "cmd/exit_code.hpp"
#include "core/session/session_ground.hpp"
#include "tests/unit/core/harness/after.hpp"
#include "tests/unit/core/harness/job_world.hpp"
#include "tests/unit/core/harness/shape.hpp"

namespace launch {
namespace {

const std::string session_name = "played";

/// As cmd/session/start.cpp has it.
JobSpec without_job(JobSpec spec) {
    spec.programs.clear();
    spec.policies.links.many_jobs = true;
    return spec;
}

/// The process of a user's command which runs no job, and that of the client before the first.
constexpr uint32_t command = 1;
constexpr uint32_t before_clients = 2;

}  // namespace

SessionWorld::Client::Client(SessionWorld& world, uint32_t number, SlotWish wish)
    : user(world.network.executor), world_(world), number_(number), wish_(std::move(wish)) {}

int SessionWorld::Client::exit_code() const {
    return over_ && run_ ? exit_code_of(run_->outcome()) : -1;
}

void SessionWorld::Client::die() {
    is_dead_ = true;
    for (const auto& cable : cables_)
        cable->leave(Cable::Side::a);
}

awaitable<Result<SessionTalk>> SessionWorld::Client::connect(std::stop_token stop) {
    const auto cable = world_.connect(before_clients + number_);
    cables_.push_back(cable);
    if (is_dead_) cable->leave(Cable::Side::a);
    co_return world_.talk_over(*cable, std::move(stop));
}

awaitable<void> SessionWorld::Client::live() {
    while (!world_.ready_)
        co_await sleep_for(world_.network.executor, milliseconds{100});
    auto session = co_await connect({});
    co_await wait_for_slots(*std::move(session));
    over_ = true;
    ended_at_ = Clock::now();
}

awaitable<void> SessionWorld::Client::wait_for_slots(SessionTalk session) {
    auto state = co_await session.greet();
    if (!state) co_return;
    SlotWish wish = wish_;
    const Factories& factories = world_.head_.process.factories;
    auto made = co_await reserve_slots(session, *state, std::move(wish), factories);
    if (made)
        co_await run(*std::move(made), std::move(session));
    else
        refused_ = std::move(made.error());
}

awaitable<void> SessionWorld::Client::run(SessionPlan made, SessionTalk session) {
    const any_io_executor executor = world_.network.executor;
    plan_ = std::move(made.plan);
    tree_ = std::make_unique<SessionTree>(
        executor, SessionTree::Settings{session_name, false, std::move(made.nodes)},
        session.take_stream());
    PlayedHead& process = world_.head_;  // the client has one of its own, which is never seen
    const Factories& factories = process.process.factories;
    SessionGround ground(executor,
                         {[this](std::stop_token stop) { return connect(std::move(stop)); },
                          before_clients + number_, plan_->session->choice, plan_->spec.policies,
                          plan_->universe_size},
                         factories);
    run_ = std::make_unique<JobRun>(executor, *plan_, *tree_, ground, user.side(), factories,
                                    world_.options_, process.guard, process.reaper);
    co_await run_->run();
}

SessionWorld::SessionWorld(JobSpec spec, uint64_t seed, const Bounds& bounds)
    : simulation(seed),
      network(simulation.io.get_executor(), bounds),
      head_(network, *make_tree_plan(without_job(std::move(spec)), make_played_topology)),
      session_(network.executor, head_.plan, head_.tree, {session_name}) {
    network.tasks.spawn(hold());
}

SessionWorld::~SessionWorld() {
    if (!finish()) std::abort();
}

awaitable<void> SessionWorld::hold() {
    co_await session_.start();
    ready_ = true;
    co_await session_.run();
    co_await session_.finish();
    over_ = true;
}

/// A connection to the session. The client is at side a.
std::shared_ptr<Cable> SessionWorld::connect(uint32_t process) {
    const auto cable = Cable::make(network.executor, true);
    auto link =
        std::make_shared<FramedLink>(network.executor, cable->end(Cable::Side::b), link_magic);
    network.tasks.spawn(write_to_end(link));
    session_.let_in({static_cast<pid_t>(process), 0}, std::move(link));
    return cable;
}

SessionTalk SessionWorld::talk_over(Cable& cable, std::stop_token stop) {
    return {network.executor, {session_name, 0}, cable.end(Cable::Side::a), std::move(stop)};
}

SessionWorld::Client& SessionWorld::begin(uint32_t wanted, bool waits) {
    const auto number = static_cast<uint32_t>(clients_.size() + 1);
    JobSpec spec = JobWorld::spec(1);
    spec.job_id = "job-" + std::to_string(number);
    spec.programs.front().ranks = wanted;
    spec.hosts.clear();
    spec.ppn = 0;
    SlotWish wish{std::move(spec), {}, waits, nullptr};
    Client& client = clients_.emplace_back(*this, number, std::move(wish));
    network.tasks.spawn(client.live());
    return client;
}

void SessionWorld::ask(SessionRequest request, std::function<void(const SessionAnswer&)> answered) {
    network.tasks.spawn(ask_for(std::move(request), std::move(answered)));
}

awaitable<void> SessionWorld::ask_for(SessionRequest request,
                                      std::function<void(const SessionAnswer&)> answered) {
    SessionTalk session = talk_over(*connect(command));
    const auto state = co_await session.greet();
    if (!state) co_return;
    const auto answer = co_await session.ask_patiently(std::move(request));
    if (answer) answered(*answer);
}

SessionState SessionWorld::state() {
    SessionTalk session = talk_over(*connect(command));
    auto state = simulation.get(session.greet());
    if (!state) std::abort();
    return *std::move(state);
}

void SessionWorld::after(Clock::duration time, std::function<void()> what) {
    launch::after(network.tasks, network.executor, time, std::move(what));
}

bool SessionWorld::finish(Clock::duration limit) {
    if (!over_) session_.stop();
    return simulation.run(network.tasks.join(), limit) && run_out(simulation.io);
}

}  // namespace launch
