// SPDX-License-Identifier: MIT
#pragma once

#include <csignal>
#include <gtest/gtest.h>

#include "tests/unit/core/harness/accidents.hpp"
#include "tests/unit/core/harness/job_world.hpp"

namespace launch {

using std::chrono::seconds;
using Does = RankScript::Step::Kind;

/// Messages over perfect links take no time, so that what is left is what was waited for.
constexpr milliseconds no_time{1};

inline RankScript rests(Clock::duration time) {
    RankScript script;
    const auto ms = std::chrono::duration_cast<milliseconds>(time).count();
    script.steps = {{Does::rest, static_cast<uint32_t>(ms)}};
    return script;
}

/// These steps, so many times.
inline RankScript repeats(uint32_t times, const std::vector<RankScript::Step>& steps) {
    RankScript script;
    for (; times > 0; --times)
        script.steps.insert(script.steps.end(), steps.begin(), steps.end());
    return script;
}

inline RankScript fails(int code, Clock::duration after = {}) {
    RankScript script = rests(after);
    script.end = {ExitStatus::Kind::exited, code};
    return script;
}

/// A test of one run of a job.
struct AJob : testing::Test {
    JobWorld& with(JobSpec spec) {
        world.emplace(std::move(spec));
        accidents.emplace(
            world->network, [](size_t) { return 0U; }, nullptr);
        return *world;
    }
    /// Each rank follows this script.
    void all(const RankScript& script) {
        for (uint32_t rank = 0; rank < world->plan().placement.ranks(); ++rank)
            world->ranks.scripts[rank] = script;
    }
    void kill_after(Clock::duration time, NodeIndex node) {
        world->after(time, [this, node] { accidents->kill(node); });
    }
    void freeze_after(Clock::duration time, NodeIndex node) {
        world->after(time, [this, node] { accidents->freeze(node); });
    }
    void send_after(Clock::duration time, int signal) {
        world->after(time, [this, signal] { world->user.send(signal); });
    }
    /// The host answers so late, or does not let anybody in.
    void login(NodeIndex node, Login login) {
        logins[node] = login;
        world->network.login = [this](NodeIndex asked) { return logins[asked]; };
    }
    /// When a signal came to a rank, since the job began; max: it never did.
    Clock::duration time_of(const RankName& rank, int number) {
        for (const auto& signal : world->ranks.lives[rank].signals)
            if (signal.number == number) return signal.at - SimulatedTime::beginning;
        return Clock::duration::max();
    }
    bool is_said(const std::string& text) const {
        return world->user.err().find(text) != std::string::npos;
    }
    /// The ranks that have started, each once.
    std::vector<uint32_t> started() const {
        std::vector<uint32_t> ranks;
        for (const auto& [rank, life] : world->ranks.lives) {
            if (life.starts > 0) ranks.push_back(rank.rank);
            EXPECT_LE(life.starts, 1) << rank;
        }
        return ranks;
    }

    std::optional<JobWorld> world;
    std::optional<Accidents> accidents;
    std::map<NodeIndex, Login> logins;
};

}  // namespace launch
