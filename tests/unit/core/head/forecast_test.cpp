// SPDX-License-Identifier: MIT
// How long jobs take where each thing that is done takes a core's time: a forecast.
// `LAUNCH_HOSTS=900 LAUNCH_SHARED_CORES=2` prints it for 900 hosts of a machine with two cores;
// without the latter each host has a core of its own, or LAUNCH_CORES of them. LAUNCH_ASKS_US,
// LAUNCH_ANSWERS_US, LAUNCH_WAKE_US, LAUNCH_LATENCY_US and LAUNCH_LOGIN_US set the rest
// (tests/bench/README.md).

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <sys/resource.h>

#include "tests/unit/core/harness/a_job.hpp"
#include "tests/unit/core/harness/env_number.hpp"

namespace launch {
namespace {

using std::chrono::microseconds;
using Owned = CoresOfHosts::Are;

/// Hosts, and what is between them.
struct Site {
    NodeIndex hosts = 16;
    std::string tree = "kary:4";
    Owned owned = Owned::shared;
    size_t cores = 1;
    CoreCosts costs;
    Clock::duration latency{0};
    Clock::duration login{0};  ///< the wait for a network during a login
};

/// How long it took at rank 0, and at the rank where it took longest.
struct FenceTime {
    Clock::duration first{0};
    Clock::duration longest{0};
};

struct AForecast : AJob {
    /// Plays a job whose ranks follow this script. Returns how long it took.
    Clock::duration play(const Site& site, const RankScript& script, PmiChoice pmi) {
        world.reset();
        JobSpec spec = JobWorld::spec(site.hosts, 1, site.tree);
        spec.policies.pmi = pmi;
        with(std::move(spec));
        Network& network = world->network;
        network.cores.emplace(network.executor, site.owned, site.cores, site.costs);
        network.quality = [latency = site.latency] { return LinkQuality{.latency = latency}; };
        network.login = [takes = site.login](NodeIndex) { return Login{.takes = takes}; };
        all(script);
        EXPECT_EQ(world->play(), 0) << world->user.err();
        EXPECT_EQ(world->ranks.lives.size(), site.hosts);
        return world->took();
    }
    /// The time of a command that does nothing.
    Clock::duration start(const Site& site) { return play(site, {}, PmiChoice::none); }

    /// The time of the steps behind a fence that lines the ranks up. It is the last of a few: the
    /// ones before may be longer, because links move.
    FenceTime fence(const Site& site, const std::vector<RankScript::Step>& what) {
        std::vector<RankScript::Step> round{{Does::barrier}};
        round.insert(round.end(), what.begin(), what.end());
        const RankScript script = repeats(4, round);
        play(site, script, PmiChoice::pmi1);
        FenceTime time;
        for (const auto& [rank, life] : world->ranks.lives) {
            EXPECT_EQ(life.done_at.size(), script.steps.size());
            const Clock::duration own =
                life.done_at.back() - life.done_at[script.steps.size() - 1 - what.size()];
            if (rank.rank == 0) time.first = own;
            time.longest = std::max(time.longest, own);
        }
        return time;
    }
    FenceTime empty_fence(const Site& site) { return fence(site, {{Does::barrier}}); }
    /// With a card of 200 bytes from each rank.
    FenceTime put_and_fence(const Site& site) {
        return fence(site, {{Does::put, 200}, {Does::barrier}});
    }
};

TEST_F(AForecast, of_a_start_on_a_core_that_all_share_is_the_sum_of_all_logins) {
    Site site{.costs = {.asks = milliseconds{2}, .answers = milliseconds{3}}};
    EXPECT_EQ(start(site), 16 * milliseconds{5});
    site.hosts = 32;
    EXPECT_EQ(start(site), 32 * milliseconds{5});
}

TEST_F(AForecast, of_a_start_on_two_shared_cores_is_half_of_that_and_the_wait_for_the_last) {
    const Site site{.cores = 2, .costs = {.asks = milliseconds{2}, .answers = milliseconds{3}}};
    const auto half = 16 * milliseconds{5} / 2;
    EXPECT_GE(start(site), half);
    EXPECT_LE(start(site), half + milliseconds{5});
}

TEST_F(AForecast, of_a_start_on_cores_of_their_own_is_that_of_the_longest_way_down) {
    Site site{.owned = Owned::of_the_host, .costs = {.answers = milliseconds{3}}};
    EXPECT_EQ(start(site), 2 * milliseconds{3});
    // The head asks four hosts one after another, and the last of these asks its three.
    site.costs.asks = milliseconds{2};
    EXPECT_EQ(start(site), (4 + 3) * milliseconds{2} + 2 * milliseconds{3});
}

TEST_F(AForecast, where_nothing_takes_a_core_is_the_wait_for_the_network) {
    EXPECT_EQ(start({.login = milliseconds{10}}), 2 * milliseconds{10});
    const Site far{.latency = milliseconds{1}};
    for (const FenceTime& time : {empty_fence(far), put_and_fence(far)}) {
        EXPECT_EQ(time.first, milliseconds{2 + 2}) << "two levels up, and down again";
        EXPECT_EQ(time.longest, time.first);
    }
}

/// Each rank wakes its relay, and each relay the one above it; then both are woken in turn. A put
/// is a question and an answer more.
TEST_F(AForecast, of_a_fence_on_a_core_that_all_share_is_four_wakes_for_each_host) {
    const Site site{.costs = {.wake = milliseconds{1}}};
    EXPECT_EQ(empty_fence(site).longest, 16 * milliseconds{4});
    EXPECT_EQ(put_and_fence(site).longest, 16 * milliseconds{6});
}

/// On the longest way up a rank wakes its relay; then three relays wake the one above them, and
/// four the head, one after another. On the way down each wakes the next, and the last one its
/// rank.
TEST_F(AForecast, of_a_fence_on_cores_of_their_own_is_that_of_the_longest_way) {
    const Site site{.owned = Owned::of_the_host, .costs = {.wake = milliseconds{1}}};
    EXPECT_EQ(empty_fence(site).longest, milliseconds{(1 + 3 + 4) + (1 + 1 + 1)});
    EXPECT_EQ(put_and_fence(site).longest, empty_fence(site).longest + milliseconds{2});
}

microseconds env_time(const char* variable, uint32_t otherwise) {
    return microseconds{env_number(variable).value_or(otherwise)};
}

/// The times are those of tests/bench/README.md.
Site wanted_site(NodeIndex hosts) {
    const auto shared = env_number("LAUNCH_SHARED_CORES");
    return {.hosts = hosts,
            .tree = "kary:32",
            .owned = shared ? Owned::shared : Owned::of_the_host,
            .cores = shared.value_or(env_number("LAUNCH_CORES").value_or(1)),
            .costs = {.asks = env_time("LAUNCH_ASKS_US", 1600),
                      .answers = env_time("LAUNCH_ANSWERS_US", 32'000),
                      .wake = env_time("LAUNCH_WAKE_US", 71)},
            .latency = env_time("LAUNCH_LATENCY_US", 20),
            .login = env_time("LAUNCH_LOGIN_US", 300)};
}

/// A rank with a PMI socket has three file descriptors.
bool may_have_sockets(NodeIndex ranks) {
    constexpr rlim_t others = 100;
    rlimit limit{};
    return getrlimit(RLIMIT_NOFILE, &limit) == 0 && 3 * rlim_t{ranks} + others < limit.rlim_cur;
}

std::string cell(Clock::duration time) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(1)
         << std::chrono::duration<double, std::milli>(time).count();
    return text.str();
}
std::string cell(const FenceTime& time) {
    return cell(time.first) + " / " + cell(time.longest);
}

TEST_F(AForecast, is_a_row_of_a_table) {
    const auto hosts = env_number("LAUNCH_HOSTS");
    const Site site = wanted_site(hosts.value_or(16));
    const auto started = start(site);
    EXPECT_GE(started, site.login + site.costs.asks + site.costs.answers);
    std::string row = "| " + std::to_string(site.hosts) + " | " + cell(started);
    if (may_have_sockets(site.hosts))
        row += " | " + cell(empty_fence(site)) + " | " + cell(put_and_fence(site)) + " |\n";
    else
        row += " | - | - |\n";
    if (!hosts) return;
    std::cout << "| hosts | start, ms | empty fence, rank 0 / longest, ms | put and fence |\n"
              << "| --- | --- | --- | --- |\n"
              << row;
}

}  // namespace
}  // namespace launch
