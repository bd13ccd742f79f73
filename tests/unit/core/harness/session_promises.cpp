// SPDX-License-Identifier: MIT
#include "tests/unit/core/harness/session_promises.hpp"

#include <algorithm>
#include <csignal>

#include "cmd/exit_code.hpp"
#include "tests/unit/core/harness/job_promises.hpp"
#include "tests/unit/core/harness/shown_lines.hpp"

namespace launch {
namespace {

/// At most: it has all slots that it wants, and its ranks do nothing.
constexpr std::chrono::seconds last_job_takes{20};
/// Until each loss is known.
constexpr std::chrono::seconds all_is_known{40};

using Lives = std::map<RankName, RankLife>;

/// All ranks of the job, and those that they have spawned.
Lives lives_of(SessionWorld& world, const PlayedJob& job) {
    Lives lives;
    for (uint32_t rank = 0; rank < job.ranks; ++rank)
        lives[job.client->rank(rank)];
    for (const auto& [rank, life] : world.ranks.lives)
        if (job.client->has(rank)) lives[rank] = life;
    return lives;
}

/// A job of which some rank never ran may wait for hosts.
bool ends_late(const SessionOrdeal& ordeal, const PlayedJob& job, const Lives& lives) {
    auto quiet_from = std::max(ordeal.quiet_from, job.client->user.attends_from());
    for (const auto& [rank, life] : lives) {
        if (life.starts == 0 && rank.space == 0) return false;
        quiet_from = std::max(quiet_from, life.ended_at);
    }
    return job.client->ended_at() > quiet_from + most_to_know;
}

bool may_lose_hosts(const SessionOrdeal& ordeal) {
    return !ordeal.accidents.is_harmless() || ordeal.some_are_taken;
}

bool is_promised(const SessionOrdeal& ordeal, const PlayedJob& job, int code) {
    return code == 0 || (job.is_interrupted && code == exit_code::signal_base + SIGTERM) ||
           (code == exit_code::unreachable && may_lose_hosts(ordeal));
}

std::string wrong_with_ranks(const PlayedJob& job, const Lives& lives, ShownLines& shown) {
    for (const auto& [name, life] : lives) {
        if (life.starts > 1) return rank_name(name) + " starts twice";
        if (job.client->exit_code() != 0) continue;
        if (life.starts == 0 && name.space == 0) return rank_name(name) + " never starts";
        if (shown.count[name] < life.lines) return rank_name(name) + " has lost output";
        if (!life.wrong_card.empty() || life.lacks_cards)
            return rank_name(name) + " got " + life.wrong_card;
    }
    return {};
}

std::string wrong_with_job(SessionWorld& world, const SessionOrdeal& ordeal, const PlayedJob& job) {
    if (const auto& refused = job.client->refused()) {
        const bool all_may_be_down = refused->cause == "no host is up" && may_lose_hosts(ordeal);
        return ordeal.some_have_left || all_may_be_down ? "" : "is refused: " + refused->cause;
    }
    ShownLines shown(job.client->user, world.ranks);
    if (!shown.fault.empty()) return shown.fault;
    if (job.is_killed) return {};
    const Lives lives = lives_of(world, job);
    if (ends_late(ordeal, job, lives)) return "ends late";
    const int code = job.client->exit_code();
    if (!is_promised(ordeal, job, code)) return "exits with " + std::to_string(code);
    const bool has_losses = code != 0 || may_lose_hosts(ordeal);
    const auto wrong = wrong_with_ranks(job, lives, shown);
    return wrong.empty() && !has_losses ? wrong_with_spawned(lives) : wrong;
}

}  // namespace

std::string broken_promise(SessionWorld& world, const SessionOrdeal& ordeal) {
    std::string said;
    for (const PlayedJob& job : ordeal.jobs)
        said += job.client->user.err();
    if (auto nonsense = world.network.nonsense(said); !nonsense.empty()) return nonsense;
    for (size_t i = 0; i < ordeal.jobs.size(); ++i)
        if (auto wrong = wrong_with_job(world, ordeal, ordeal.jobs[i]); !wrong.empty())
            return "job " + std::to_string(i + 1) + ": " + wrong;
    return wrong_with_growth(world.network, world.ranks);
}

std::string what_is_left(SessionWorld& world, const std::set<NodeIndex>& answered,
                         NodeIndex asked_for) {
    SimulatedRun& run = world.simulation;
    run.until([] { return false; }, all_is_known);
    std::set<NodeIndex> its = answered;  // of all users, by now
    uint32_t slots = 0;
    const SessionState state = world.state();
    for (const SessionHost& host : state.hosts) {
        const NodeIndex number = Network::number_of(host.host.name);
        if (number >= asked_for) its.insert(number);
        slots += host.host.slots;
    }
    const size_t hosts = its.size();
    if (!run.until([&] { return world.hosts_up() == hosts; }, most_to_return))
        return std::to_string(world.hosts_up()) + " of " + std::to_string(hosts) + " hosts are up";
    if (world.network.relays() != hosts)
        return std::to_string(world.network.relays()) + " relays run on " + std::to_string(hosts) +
               " hosts";
    if (world.ranks.some_run()) return "a rank is left";
    for (const bool is_first : {true, false}) {
        auto& last = world.begin(slots, is_first);
        if (!run.until([&last] { return last.is_over(); }, last_job_takes))
            return "the last job hangs";
        if (last.refused()) return "the last job is refused: " + last.refused()->cause;
        const int code = last.exit_code();
        if (code != 0)
            return "the last job exits with " + std::to_string(code) + ": " + last.user.err();
    }
    return {};
}

}  // namespace launch
