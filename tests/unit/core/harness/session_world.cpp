// SPDX-License-Identifier: MIT
#include "tests/unit/core/harness/session_world.hpp"

#include "cmd/exit_code.hpp"
#include "core/session/offered_hosts.hpp"
#include "tests/unit/core/harness/after.hpp"
#include "tests/unit/core/harness/job_world.hpp"
#include "tests/unit/core/harness/no_ground.hpp"
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

/// Byte for byte, as a client reads before its job begins (core/session/session_client.cpp).
/// Nothing: the session has hung up.
awaitable<std::optional<Frame>> receive(ByteStream& session) {
    std::string bytes(frame_head, '\0');
    size_t had = 0;
    std::optional<size_t> whole;
    while (had < whole.value_or(frame_head)) {
        const std::span<char> rest(bytes.data() + had, bytes.size() - had);
        const size_t more = co_await session.read_some(rest);
        if (more == 0) co_return std::nullopt;
        had += more;
        if (whole || had < frame_head) continue;
        whole = frame_head + payload_length(bytes);
        bytes.resize(*whole);
    }
    co_return Frame{static_cast<FrameType>(bytes[frame_head - 1]), bytes.substr(frame_head)};
}

awaitable<bool> send(ByteStream& session, const SessionRequest& request) {
    std::string bytes;
    encode_frame(FrameType::session_request, encode(request), bytes);
    for (size_t at = 0; at < bytes.size();) {
        const std::span<const char> rest(bytes.data() + at, bytes.size() - at);
        const size_t taken = co_await session.write_some(rest);
        if (taken == 0) co_return false;
        at += taken;
    }
    co_return true;
}

/// The next message of that type, which a Message is; nothing: the session has hung up.
template <class Message>
awaitable<std::optional<Message>> receive_as(ByteStream& session, FrameType type) {
    for (;;) {
        const auto frame = co_await receive(session);
        if (!frame) co_return std::nullopt;
        if (frame->type == type) co_return Message::decode(frame->payload);
    }
}

}  // namespace

SessionWorld::Client::Client(SessionWorld& world, uint32_t number, JobSpec spec)
    : user(world.network.executor), world_(world), number_(number), spec_(std::move(spec)) {}

int SessionWorld::Client::exit_code() const {
    return over_ && run_ ? exit_code_of(run_->outcome()) : -1;
}

void SessionWorld::Client::die() {
    if (session_) session_->leave(Cable::Side::a);
}

/// As reserve_in_session() of cmd/session does it, which blocks.
awaitable<void> SessionWorld::Client::live() {
    while (!world_.ready_)
        co_await sleep_for(world_.network.executor, milliseconds{100});
    session_ = world_.connect();
    auto session = session_->end(Cable::Side::a);
    auto state = co_await receive_as<SessionState>(*session, FrameType::session_state);
    while (state) {
        auto made = plan_in_session(spec_, {}, *state, world_.head_.process.factories);
        if (!made && made.error() != no_room(*state)) {
            refused_ = made.error();
            break;
        }
        if (made) {
            const SessionRequest slots = ReserveRequest{made->nodes.parts(made->plan.placement)};
            co_await send(*session, slots);
            const auto answer =
                co_await receive_as<SessionAnswer>(*session, FrameType::session_answer);
            if (answer && answer->kind == SessionAnswer::Kind::done) {
                made->number = answer->job;
                co_await run(*std::move(made), std::move(session));
                break;
            }
        }
        const SessionRequest wait = WaitRequest{wished_in_session(spec_, {}, *state)};
        co_await send(*session, wait);
        state = co_await receive_as<SessionState>(*session, FrameType::session_state);
    }
    if (session) session->close();
    over_ = true;
    ended_at_ = Clock::now();
}

awaitable<void> SessionWorld::Client::run(SessionPlan made, std::unique_ptr<ByteStream> session) {
    const any_io_executor executor = world_.network.executor;
    plan_ = std::move(made.plan);
    tree_ = std::make_unique<SessionTree>(
        executor, SessionTree::Settings{session_name, false, std::move(made.nodes)},
        std::move(session));
    NoGround ground;
    PlayedHead& process = world_.head_;  // the client has one of its own, which is never seen
    run_ = std::make_unique<JobRun>(executor, *plan_, *tree_, ground, user.side(),
                                    process.process.factories, world_.options_, process.guard,
                                    process.reaper);
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
std::shared_ptr<Cable> SessionWorld::connect() {
    const auto cable = Cable::make(network.executor, true);
    auto link =
        std::make_shared<FramedLink>(network.executor, cable->end(Cable::Side::b), link_magic);
    network.tasks.spawn(write_to_end(link));
    session_.let_in({1, 0}, std::move(link));
    return cable;
}

SessionWorld::Client& SessionWorld::begin(uint32_t wanted) {
    const auto number = static_cast<uint32_t>(clients_.size() + 1);
    JobSpec spec = JobWorld::spec(1);
    spec.job_id = "job." + std::to_string(number);
    spec.programs.front().ranks = wanted;
    spec.hosts.clear();
    spec.ppn = 0;
    Client& client = clients_.emplace_back(*this, number, std::move(spec));
    network.tasks.spawn(client.live());
    return client;
}

void SessionWorld::ask(SessionRequest request, std::function<void(const SessionAnswer&)> answered) {
    network.tasks.spawn(ask_for(std::move(request), std::move(answered)));
}

awaitable<void> SessionWorld::ask_for(SessionRequest request,
                                      std::function<void(const SessionAnswer&)> answered) {
    const auto session = connect()->end(Cable::Side::a);
    std::optional<SessionAnswer> answer;
    if (co_await send(*session, request))
        answer = co_await receive_as<SessionAnswer>(*session, FrameType::session_answer);
    session->close();
    if (answer) answered(*answer);
}

void SessionWorld::after(Clock::duration time, std::function<void()> what) {
    launch::after(network.tasks, network.executor, time, std::move(what));
}

bool SessionWorld::finish(Clock::duration limit) {
    if (!over_) session_.stop();
    return simulation.run(network.tasks.join(), limit) && run_out(simulation.io);
}

}  // namespace launch
