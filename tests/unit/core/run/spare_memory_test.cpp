// SPDX-License-Identifier: MIT
#include "core/run/spare_memory.hpp"

#include <gtest/gtest.h>

#include "tests/unit/core/harness/simulated_run.hpp"

namespace launch {
namespace {

struct Node {
    ~Node() {
        tasks.spawn(memory.close());
        EXPECT_TRUE(run_out(io));
    }
    void run_for(std::chrono::milliseconds time) { simulation.run_for(time); }
    void run_at_once(size_t jobs) {
        for (size_t i = 1; i <= jobs; ++i)
            memory.has_jobs(i);
        for (size_t i = jobs; i-- > 0;)
            memory.has_jobs(i);
    }

    SimulatedRun simulation;
    asio::io_context& io = simulation.io;
    int given_back = 0;
    SpareMemory memory{io.get_executor(),
                       {std::chrono::milliseconds{200}, [this] { ++given_back; }}};
    TaskGroup tasks{io.get_executor()};
};

TEST(SpareMemory, is_given_back_when_many_jobs_at_once_have_ended) {
    Node node;
    node.run_at_once(SpareMemory::many);
    node.run_for(std::chrono::milliseconds{10});
    EXPECT_EQ(node.given_back, 0) << "another may begin";
    EXPECT_TRUE(run_until(node.io, [&] { return node.given_back == 1; }));
    node.run_at_once(1);
    node.run_for(std::chrono::milliseconds{300});
    EXPECT_EQ(node.given_back, 1) << "nothing more has been needed since";
    node.run_at_once(SpareMemory::many);
    EXPECT_TRUE(run_until(node.io, [&] { return node.given_back == 2; }));
}

TEST(SpareMemory, is_kept_where_few_jobs_run_at_once) {
    Node node;
    for (int i = 0; i < 100; ++i)
        node.run_at_once(SpareMemory::many - 1);
    node.run_for(std::chrono::milliseconds{300});
    EXPECT_EQ(node.given_back, 0);
}

TEST(SpareMemory, is_not_given_back_while_a_job_runs) {
    Node node;
    node.run_at_once(SpareMemory::many);
    node.run_for(std::chrono::milliseconds{10});
    node.memory.has_jobs(1);
    node.run_for(std::chrono::milliseconds{300});
    EXPECT_EQ(node.given_back, 0);
    const auto ended = Clock::now();
    node.memory.has_jobs(0);
    EXPECT_TRUE(run_until(node.io, [&] { return node.given_back == 1; }));
    EXPECT_EQ(Clock::now() - ended, std::chrono::milliseconds{200});
}

TEST(SpareMemory, is_waited_for_by_nobody_who_ends) {
    SimulatedRun simulation;
    int given_back = 0;
    {
        TaskGroup tasks(simulation.io.get_executor());
        SpareMemory memory(simulation.io.get_executor(),
                           {std::chrono::hours{1}, [&given_back] { ++given_back; }});
        memory.has_jobs(SpareMemory::many);
        memory.has_jobs(0);
        tasks.spawn(memory.close());
        EXPECT_TRUE(run_out(simulation.io));
    }
    EXPECT_EQ(Clock::now(), SimulatedTime::beginning);
    EXPECT_EQ(given_back, 0);
}

}  // namespace
}  // namespace launch
