// SPDX-License-Identifier: MIT
#include "tests/unit/core/harness/world.hpp"

#include <iostream>

#include "core/link/patience.hpp"
#include "tests/unit/core/harness/shape.hpp"

namespace launch {
namespace {

Plan plan_of(const WorldSettings& settings) {
    Plan plan;
    plan.spec.job_id = "tree";
    plan.spec.transport.name = "local";
    plan.spec.policies.liveness = settings.liveness;
    plan.spec.policies.push = PushChoice::never;
    if (settings.start_limit.count() > 0)
        plan.spec.policies.connect_timeout = plan.spec.policies.start_timeout =
            settings.start_limit;
    for (NodeIndex node = 1; node <= settings.hosts; ++node)
        plan.hosts.push_back({"", Network::name_of(node), 0, 1});
    auto topology = make_played_topology(settings.topology, 0, settings.hosts + 1, nullptr);
    plan.topology = std::move(*topology);
    if (settings.routing.empty()) return plan;
    auto routing = make_played_topology(settings.routing, 0, settings.hosts + 1, nullptr);
    plan.routing = std::move(*routing);
    return plan;
}

}  // namespace

bool HeadJob::is_lost(NodeIndex node) const {
    return std::any_of(failures.begin(), failures.end(), [node](const FailureMessage& failure) {
        return failure.node == node ||
               std::any_of(failure.below.begin(), failure.below.end(),
                           [node](NodeRange range) { return range.contains(node); });
    });
}

JobMessage idle_job(const std::string& id, bool late) {
    JobMessage job;
    job.job_id = id;
    job.placed_late = late;
    job.programs.push_back({{"true"}, 1, {}, {}, {}});
    job.policies.start_early = true;
    job.policies.stdin_target.kind = StdinTarget::Kind::none;
    job.may_leave_wdir = true;  // nobody looks whether it can start
    return job;
}

AssignmentMessage idle_assignment(NodeIndex hosts) {
    JobPlacement placement;
    placement.ranks = hosts;
    placement.nodes = hosts;
    placement.program_ranks = {hosts};
    placement.may_leave_wdir = true;
    AssignmentMessage message{placement.encode(), {}, {{1, hosts}}, hosts + 1};
    for (NodeIndex node = 1; node <= hosts; ++node)
        message.parts.push_back({node, HostRank{node - 1}, {{rank_of(node), 1, 1}}});
    return message;
}

World::World(WorldSettings settings, uint64_t seed)
    : simulation(seed, settings.time),
      network(io.get_executor()),
      head_(network, plan_of(settings)) {
    const bool late = settings.late || !settings.routing.empty();
    for (const std::string& id : settings.jobs)
        add(id, late);
    head_.tree.open();
    if (!late) place();
}

FakeModex* World::part(NodeIndex node, const std::string& id) const {
    const Process* process = network.running(node);
    return process == nullptr ? nullptr : process->part(id);
}

/// Who fails in the middle of a test ends it all the same, or nothing here may go.
World::~World() {
    if (finished_ || finish()) return;
    std::cerr << "a world does not end, and may not be destroyed;";
    for (const std::string& host : stuck_)
        std::cerr << " " << host << " did not leave;";
    std::cerr << "\n";
    std::abort();
}

void World::add(const std::string& id, bool late, uint64_t output_window) {
    auto& job = *(jobs_[id] = std::make_unique<HeadJob>(io.get_executor()));
    const JobNumber number{static_cast<uint32_t>(jobs_.size())};
    numbers_[id] = number;
    JobMessage message = idle_job(id, late);
    message.output_window = output_window;
    unplaced_.push_back(&head_.tree.begin(number, std::move(message), job, job));
}

void World::begin(const std::string& id, uint64_t output_window) {
    add(id, false, output_window);
    place();
}

void World::start() {
    head_.tree.start();
}

bool World::all_up() const {
    return head_.tree.hosts().all_known();
}

bool World::settle() {
    if (!unplaced_.empty() && all_up() && head_.tree.settle_routes()) place();
    return unplaced_.empty();
}

void World::place() {
    for (NodeJob* part : std::exchange(unplaced_, {}))
        if (!part->deal(idle_assignment(head_.tree.hosts().count()))) std::abort();
}

awaitable<void> World::run_to_finish() {
    finished_ = true;
    stuck_ = co_await head_.tree.finish(patience::leave_head);
    head_.reaper.stop();
    co_await network.tasks.join();
}

bool World::finish() {
    asio::co_spawn(io, run_to_finish(), [](std::exception_ptr failure) {
        if (failure) std::rethrow_exception(failure);
    });
    return run_out(io) && stuck_.empty();
}

}  // namespace launch
