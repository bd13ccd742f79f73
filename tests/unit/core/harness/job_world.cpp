// SPDX-License-Identifier: MIT
#include "tests/unit/core/harness/job_world.hpp"

#include "cmd/exit_code.hpp"
#include "tests/unit/core/harness/after.hpp"
#include "tests/unit/core/harness/shape.hpp"

namespace launch {

JobSpec JobWorld::spec(NodeIndex hosts, uint32_t ppn, const std::string& topology) {
    JobSpec spec;
    spec.job_id = "run";
    spec.programs = {{.argv = {"true"}, .ranks = hosts * ppn}};
    for (NodeIndex node = 1; node <= hosts; ++node)
        spec.hosts.push_back({"", Network::name_of(node), 0, ppn});
    spec.topology = topology;
    spec.transport.name = "local";  // so that relays know addresses for direct links
    spec.policies.push = PushChoice::never;
    spec.policies.pmi = PmiChoice::pmi1;
    spec.policies.place.bind.how = BindChoice::How::none;
    spec.ppn = ppn;
    spec.env = {"PATH=/usr/bin:/bin"};
    spec.wdir = "/";
    return spec;
}

JobWorld::JobWorld(JobSpec wanted, uint64_t seed, const Bounds& bounds)
    : simulation(seed),
      network(simulation.io.get_executor(), bounds),
      head_(network, *make_plan(std::move(wanted), make_played_topology)),
      own_(head_.tree),
      ground_(network.executor, head_.tree, head_.plan, head_.process.factories),
      run_(network.executor, head_.plan, own_, ground_, user.side(), head_.process.factories,
           options_, head_.guard, head_.reaper) {}

/// A test may fail while the job runs. The job then ends here, because its parts must not go before
/// that.
JobWorld::~JobWorld() {
    if (!started_) start();
    if (!run_to_end()) std::abort();
}

void JobWorld::start() {
    started_ = true;
    began_at_ = Clock::now();
    network.tasks.spawn(run_head());
}

awaitable<void> JobWorld::run_head() {
    co_await run_.run();
    ended_at_ = Clock::now();
    over_ = true;
}

void JobWorld::after(Clock::duration time, std::function<void()> what) {
    launch::after(network.tasks, network.executor, time, std::move(what));
}

bool JobWorld::run_to_end(Clock::duration limit) {
    return simulation.run(network.tasks.join(), limit) && run_out(simulation.io);
}

int JobWorld::play() {
    start();
    return run_to_end() ? exit_code() : -1;
}

std::set<NodeIndex> JobWorld::hosts_that(bool (HostRecord::*is)(NodeIndex) const) const {
    const HostRecord& hosts = head_.tree.hosts();
    std::set<NodeIndex> numbers;
    for (NodeIndex node = 1; node <= hosts.count(); ++node)
        if ((hosts.*is)(node)) numbers.insert(Network::number_of(hosts.name_of(node)));
    return numbers;
}

int JobWorld::exit_code() const {
    return over_ ? exit_code_of(outcome()) : -1;
}

}  // namespace launch
