// SPDX-License-Identifier: MIT
#include "tests/unit/core/harness/job_promises.hpp"

#include <algorithm>
#include <csignal>

#include "cmd/exit_code.hpp"
#include "tests/unit/core/harness/shown_lines.hpp"

namespace launch {
namespace {

/// No accident has struck that costs the host of the rank.
bool is_spared(JobWorld& world, const Ordeal& ordeal, const RankLife& life) {
    return world.hosts_that(&HostRecord::is_up).contains(life.node) &&
           !ordeal.accidents.killed().contains(life.node);
}

/// The user has insisted, or has ended the job when only its output was left, or does not read it
/// within the grace.
bool will_not_wait(JobWorld& world) {
    const auto& signals = world.user.signals();
    const auto grace = world.plan().spec.policies.kill_grace;
    if (!signals.empty() && world.user.attends_from() > signals.back().at + grace) return true;
    const auto ended_before = [&signals](const auto& entry) {
        return !entry.second.runs && entry.second.ended_at <= signals.back().at;
    };
    const auto& lives = world.ranks.lives;
    return signals.size() > 1 ||
           (!signals.empty() && std::all_of(lives.begin(), lives.end(), ended_before));
}

std::string wrong_with_output(JobWorld& world, const Ordeal& ordeal) {
    ShownLines shown(world.user, world.ranks);
    if (!shown.fault.empty() || will_not_wait(world)) return shown.fault;
    for (const auto& [rank, life] : world.ranks.lives) {
        if (is_spared(world, ordeal, life) && shown.count[rank] < life.lines)
            return rank_name(rank) + " has written " + std::to_string(life.lines) +
                   " lines, of which " + std::to_string(shown.count[rank]) + " are shown";
    }
    return {};
}

size_t count_of(const std::vector<TimedSignal>& signals, int signal) {
    return static_cast<size_t>(
        std::count_if(signals.begin(), signals.end(),
                      [signal](const auto& each) { return each.number == signal; }));
}

/// No accident has struck that delays a message for long.
bool is_undisturbed(const Ordeal& ordeal) {
    return ordeal.accidents.is_harmless() && !ordeal.has_unwilling_hosts;
}

/// A rank that ran when the user sent the first signal, and for so long after, has got it.
constexpr milliseconds on_its_way{2000};

bool has_missed_signal(const JobWorld& world, const RankLife& life) {
    if (world.user.signals().empty() || life.began_at == Clock::time_point()) return false;
    const TimedSignal& first = world.user.signals().front();
    const bool has_run = life.began_at < first.at && life.ended_at > first.at + on_its_way;
    return has_run && count_of(life.signals, first.number) == 0;
}

std::string as_text(const std::vector<TimedSignal>& signals) {
    std::string text;
    for (const auto& [number, at] : signals)
        text += std::to_string(number) + " at " + ms_text(at) + ", ";
    return text;
}

/// Each signal of the user comes once. The job's end is one SIGTERM more at most, and SIGKILL comes
/// no sooner than a grace after that, unless the user insists.
std::string wrong_with_signals(JobWorld& world, const Ordeal& ordeal, const RankName& rank,
                               const RankLife& life) {
    for (const int signal : {SIGINT, SIGTERM}) {
        const size_t most = count_of(world.user.signals(), signal) + (signal == SIGTERM ? 1 : 0);
        if (count_of(life.signals, signal) > most)
            return rank_name(rank) + " gets signal " + std::to_string(signal) + " twice";
    }
    if (is_undisturbed(ordeal) && has_missed_signal(world, life))
        return rank_name(rank) + " does not get a signal";
    if (!is_spared(world, ordeal, life) || count_of(world.user.signals(), SIGINT) > 1) return {};
    auto asked_at = Clock::time_point::max();
    for (const auto& [number, at] : life.signals) {
        if (number == SIGTERM) asked_at = std::min(asked_at, at);
        const bool is_early =
            number == SIGKILL && (asked_at == Clock::time_point::max() ||
                                  at - asked_at < world.plan().spec.policies.kill_grace);
        if (is_early) return rank_name(rank) + " is killed too early: " + as_text(life.signals);
    }
    return {};
}

std::string wrong_with_input(JobWorld& world, const Ordeal& ordeal, const RankName& rank,
                             const RankLife& life) {
    if (!ordeal.typed.starts_with(life.input)) return rank_name(rank) + " reads what nobody typed";
    const bool is_cut_off = life.has_all_input && life.input != ordeal.typed;
    const bool is_told_to_end = !life.signals.empty() || world.exit_code() != 0;
    return is_undisturbed(ordeal) && is_cut_off && !is_told_to_end
               ? rank_name(rank) + " does not get all input"
               : "";
}

std::string wrong_with_ranks(JobWorld& world, const Ordeal& ordeal) {
    for (const auto& [rank, life] : world.ranks.lives) {
        if (life.starts > 1) return rank_name(rank) + " has started more than once";
        if (life.runs) return rank_name(rank) + " still runs";
        if (!life.wrong_card.empty())
            return rank_name(rank) + " gets a wrong card: " + life.wrong_card;
        if (life.lacks_cards && world.exit_code() == 0) return rank_name(rank) + " gets no card";
        if (!life.wrong_file.empty()) return rank_name(rank) + " starts where " + life.wrong_file;
        for (const auto& wrong : {wrong_with_signals(world, ordeal, rank, life),
                                  wrong_with_input(world, ordeal, rank, life)})
            if (!wrong.empty()) return wrong;
    }
    const std::string wrong = wrong_with_growth(world.network, world.ranks);
    const bool has_losses = world.exit_code() != 0 || !ordeal.accidents.killed().empty();
    return wrong.empty() && !has_losses ? wrong_with_spawned(world.ranks.lives) : wrong;
}

/// Where relays die, those below them find other parents, and where links break or stand still for
/// a moment, they find them again.
std::string wrong_with_hosts(JobWorld& world, const Ordeal& ordeal) {
    const Accidents& accidents = ordeal.accidents;
    const bool may_cost_others = !accidents.has_only_killed() && !accidents.were_brief();
    if (may_cost_others || ordeal.has_unwilling_hosts) return {};
    for (const NodeIndex host : world.hosts_that(&HostRecord::has_failed))
        if (!ordeal.accidents.killed().contains(host) && !world.ranks.released.contains(host))
            return "host n" + std::to_string(host) + " is lost without a reason";
    return {};
}

/// The head's order was under way for so long at most.
constexpr milliseconds order_takes{200};

/// No rank began, ended or wrote anything within that time before the head's order came to a rank.
bool is_silent_before(JobWorld& world, Clock::time_point came, Clock::duration time) {
    const auto is_within = [&](Clock::time_point at) {
        return at > came - time && at < came - order_takes;
    };
    for (const auto& [rank, life] : world.ranks.lives) {
        if (is_within(life.began_at) || is_within(life.ended_at)) return false;
        const auto& steps = world.ranks.scripts[rank].steps;
        for (size_t i = 0; i < std::min(life.done_at.size(), steps.size()); ++i)
            if (steps[i].kind == RankScript::Step::Kind::write && is_within(life.done_at[i]))
                return false;
    }
    return true;
}

/// A rank got SIGTERM after such a silence of all.
bool may_have_hung(JobWorld& world) {
    const auto hang = world.plan().spec.hang;
    const auto& lives = world.ranks.lives;
    const bool is_said = world.user.err().find("the job hangs") != std::string::npos;
    return is_said && std::any_of(lives.begin(), lives.end(), [&](const auto& entry) {
               const auto& signals = entry.second.signals;
               return std::any_of(signals.begin(), signals.end(), [&](const TimedSignal& signal) {
                   return signal.number == SIGTERM && is_silent_before(world, signal.at, hang);
               });
           });
}

/// Codes for which there is a reason.
std::set<int> reasons(JobWorld& world, const Ordeal& ordeal) {
    std::set<int> codes;
    bool all_well = true;
    for (const auto& [rank, script] : world.ranks.scripts) {
        const auto life = world.ranks.lives.find(rank);
        const bool well = life != world.ranks.lives.end() && life->second.status &&
                          life->second.status->success();
        all_well = all_well && well;
        if (script.not_started != 0)
            codes.insert(exit_code_of(
                {ExitStatus::Kind::not_started, script.not_started, ExitStatus::Stage::exec}));
        else if (!script.end.success())
            codes.insert(exit_code_of(script.end));
        if (script.leaves_rudely) codes.insert(exit_code::protocol);
    }
    if (all_well) codes.insert(exit_code::success);
    for (const auto& signal : world.user.signals())
        codes.insert(exit_code::signal_base + signal.number);
    const bool is_unsure = world.user.err().find("no confirmation") != std::string::npos;
    const bool has_lost_hosts = !world.hosts_that(&HostRecord::has_failed).empty();
    if (has_lost_hosts || (is_unsure && !ordeal.accidents.is_harmless()))
        codes.insert(exit_code::unreachable);
    if (may_have_hung(world)) codes.insert(exit_code::timed_out);
    const auto timeout = world.plan().spec.timeout;
    if (timeout.count() > 0 && world.took() >= timeout) codes.insert(exit_code::timed_out);
    return codes;
}

/// Among ranks that launch kills, the report of one that somebody else has killed is not told
/// apart.
bool may_be_counted_as_killed(const JobWorld& world, const RankLife& life) {
    if (life.status != ExitStatus{ExitStatus::Kind::signalled, SIGKILL}) return false;
    const auto& lives = world.ranks.lives;
    return std::any_of(lives.begin(), lives.end(), [&life](const auto& entry) {
        const auto& signals = entry.second.signals;
        return std::any_of(signals.begin(), signals.end(), [&life](const TimedSignal& signal) {
            return signal.number == SIGKILL && signal.at < life.ended_at + on_its_way;
        });
    });
}

/// The exit code is that of a rank, and no user or lost host had a part in it.
bool has_been_ended_by_a_rank(const JobWorld& world) {
    const auto& lives = world.ranks.lives;
    const auto decides = [&world](const auto& entry) {
        const auto& status = entry.second.status;
        return entry.first.space == 0 && status && exit_code_of(*status) == world.exit_code();
    };
    return world.exit_code() != 0 && world.user.signals().empty() &&
           world.hosts_that(&HostRecord::has_failed).empty() &&
           std::any_of(lives.begin(), lives.end(), decides);
}

bool was_killed_by_launch(const RankLife& life) {
    return count_of(life.signals, SIGKILL) > 0;
}

/// Where a rank ends the job, each one that failed is named. Launch says of none that it killed it
/// which it has not killed.
std::string wrong_with_names(JobWorld& world, const Ordeal& ordeal) {
    for (const uint32_t rank : named_ranks(world.user.err(), "(?: on [^:]*:)? killed"))
        if (!world.ranks.lives.contains(rank) || !was_killed_by_launch(world.ranks.lives[rank]))
            return rank_name(rank) + " is said to have been killed";
    if (!has_been_ended_by_a_rank(world)) return {};
    const auto named = named_ranks(world.user.err());
    for (const auto& [rank, life] : world.ranks.lives) {
        const ExitStatus& end = world.ranks.scripts[rank].end;
        if (rank.space == 0 && life.status == end && !end.success() && !named.contains(rank.rank) &&
            is_spared(world, ordeal, life) && !may_be_counted_as_killed(world, life))
            return rank_name(rank) + " has failed and is not named";
    }
    return {};
}

std::string wrong_with_code(JobWorld& world, const Ordeal& ordeal) {
    const int code = world.exit_code();
    if (!reasons(world, ordeal).contains(code))
        return "there is no reason for exit code " + std::to_string(code);
    const bool is_known =
        code == 0 || count_of(world.user.signals(), code - exit_code::signal_base) > 0;
    const bool is_told = is_known || !world.user.err().empty();
    return is_told ? "" : "nothing is said of exit code " + std::to_string(code);
}

/// A node that dies on its way to its place in the routing tree has a parent that has handed it
/// over and one that does not know it yet. It is missed when nodes are to have their places, or
/// when the job ends, by signal and by force.
milliseconds most_to_end(const JobSpec& spec) {
    const milliseconds grace = spec.policies.kill_grace;
    return spec.routing.empty() ? most_to_know : grace + patience::leave_head_within(grace);
}

/// When nothing more happened: no accident, no rank ran, and the user had read all.
Clock::time_point quiet_from(JobWorld& world, const Ordeal& ordeal) {
    auto from = std::max(ordeal.quiet_from, world.user.attends_from());
    for (const auto& [rank, life] : world.ranks.lives)
        from = std::max(from, life.ended_at);
    if (!world.user.signals().empty()) from = std::max(from, world.user.signals().back().at);
    return from;
}

}  // namespace

std::string wrong_with_growth(const Network& network, const RankBook& ranks) {
    const auto& started = network.started;
    for (const auto& [rank, life] : ranks.lives)
        for (const NodeIndex host : life.grown)
            if (std::find(started.begin(), started.end(), host) == started.end())
                return "host n" + std::to_string(host) + " was said to have joined";
    return {};
}

std::string wrong_with_spawned(const std::map<RankName, RankLife>& of_job) {
    uint32_t told = 0;
    uint32_t there = 0;
    for (const auto& [rank, life] : of_job) {
        told += life.spawned;
        if (rank.space > 0) ++there;
    }
    if (told <= there) return {};
    return std::to_string(told) + " processes are said to have been spawned, and " +
           std::to_string(there) + " were";
}

std::string broken_promise(JobWorld& world, const Ordeal& ordeal) {
    if (!world.is_over()) return "the job does not end";
    if (const auto nonsense = world.network.nonsense(world.user.err()); !nonsense.empty())
        return nonsense;
    for (const auto& wrong : {wrong_with_hosts(world, ordeal), wrong_with_ranks(world, ordeal),
                              wrong_with_output(world, ordeal), wrong_with_names(world, ordeal),
                              wrong_with_code(world, ordeal)})
        if (!wrong.empty()) return wrong;
    if (world.took() > ordeal.longest) {
        const auto took = std::chrono::duration_cast<milliseconds>(world.took());
        return "the job takes " + std::to_string(took.count()) + " ms";
    }
    const auto late = world.ended_at() - quiet_from(world, ordeal);
    if (late > most_to_end(world.plan().spec))
        return "the job ends " + std::to_string(std::chrono::floor<milliseconds>(late).count()) +
               " ms after all is quiet";
    if (world.network.open_ends() > 0) return "open streams are left";
    return {};
}

}  // namespace launch
