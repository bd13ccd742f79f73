// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/build_id.hpp"
#include "core/link/neighbour_channel.hpp"
#include "core/wire/assignment.hpp"
#include "core/wire/tree_message.hpp"
#include "tests/unit/core/harness/peer.hpp"
#include "tests/unit/core/harness/world.hpp"

namespace launch {

/// One relay whose parent a test plays, who is the head; those below it are as a Network has them.
struct LoneRelay {
    explicit LoneRelay(NodeIndex nodes_of_it = 1, milliseconds liveness = milliseconds{0},
                       SimulatedRun::Time time = SimulatedRun::Time::simulated)
        : simulation(1, time), nodes(nodes_of_it) {
        tree.id = "tree";
        tree.nodes = nodes;
        tree.topology = "flat";
        tree.transport.name = "local";
        tree.policies.liveness = liveness;
        tree.policies.push = PushChoice::never;
        parent = Peer::make(network.executor, network.tasks, network.start_relay(1, nullptr));
        cable = network.cables().front();
    }
    ~LoneRelay() {
        parent->link->close();
        if (!run_out(io)) std::abort();
    }
    LoneRelay(const LoneRelay&) = delete;
    LoneRelay& operator=(const LoneRelay&) = delete;

    template <class Done>
    bool until(const Done& done) {
        return simulation.until(done);
    }
    /// Until nothing is left to do now, which is all there is without liveness.
    void settle() { launch::settle(io); }
    bool has_ended() const { return network.running(1) == nullptr; }

    void greet() { parent->greet(own_build_id()); }
    /// Output bytes that it may send: `window`.
    void give_part(uint64_t window) {
        SubtreeMessage part{tree.encode(), 1, {}, {{0, "", 0}}, 0, {}, window};
        for (NodeIndex node = 1; node <= nodes; ++node)
            part.hosts.push_back({"", Network::name_of(node), 0, 1});
        parent->send(FrameType::subtree, part.encode());
    }
    void keep(FrameType type, std::string_view body) {
        parent->send(type, channel.keep(type, body));
    }
    void keep(FrameType type, JobNumber job, std::string_view body) {
        keep(type, wrap_job(job, body));
    }
    void begin(JobNumber job, const std::string& id, uint64_t output_window = 0) {
        JobMessage message = idle_job(id);
        message.output_window = output_window;
        keep(FrameType::job, job, JobStart{message.encode(), {}}.encode());
        keep(FrameType::assignment, job, idle_assignment(nodes).encode());
    }
    void broadcast(FrameType type, std::string_view body) {
        parent->send(type, wrap_broadcast({++told, body}));
    }
    /// It is up, with these jobs.
    bool come_up(const std::vector<std::string>& jobs = {"job"}, uint64_t window = 1u << 20) {
        greet();
        give_part(window);
        uint32_t number = 0;
        for (const std::string& id : jobs)
            begin(JobNumber{++number}, id);
        return until([&] { return parent->count(FrameType::nodes_up) > 0 && part(jobs.back()); });
    }
    FakeModex* part(const std::string& id = "job") const {
        const Process* process = network.running(1);
        return process == nullptr ? nullptr : process->part(id);
    }

    SimulatedRun simulation;
    asio::io_context& io = simulation.io;
    Network network{io.get_executor()};
    const NodeIndex nodes;
    TreeMessage tree;
    std::shared_ptr<Peer> parent;
    std::shared_ptr<Cable> cable;
    NeighbourChannel channel;
    uint64_t told = 0;
};

}  // namespace launch
