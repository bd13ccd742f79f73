// SPDX-License-Identifier: MIT
#include "core/head/hang_watch.hpp"

#include <algorithm>
#include <utility>

#include "core/head/stack_kind.hpp"

namespace launch {
namespace {

using std::chrono::milliseconds;

constexpr int samples_of_limit = 10;

milliseconds interval_of(milliseconds limit) {
    const milliseconds part{(limit.count() + samples_of_limit - 1) / samples_of_limit};
    return std::max(part, HangWatch::shortest_interval);
}

/// The ranks of these stacks, by what they do.
struct Doings {
    StackGroups::Ranks computing;
    std::string unknown{};  ///< why a stack is not known
};

/// A rank polls if a process of it is in MPI, and all others sleep.
Doings doings(const StackGroups& stacks, const StackGroups::Ranks& asked) {
    StackGroups::Ranks polling;
    StackGroups::Ranks others;
    Doings found{asked};
    for (const auto& [stack, ranks] : stacks.by_size()) {
        if (is_in_mpi(stack))
            polling.insert(ranks.begin(), ranks.end());
        else if (!is_asleep(stack))
            others.insert(ranks.begin(), ranks.end());
        if (stack.frames.empty() && stack.note.starts_with("no stack")) found.unknown = stack.note;
    }
    std::erase_if(found.computing,
                  [&](uint32_t rank) { return polling.contains(rank) && !others.contains(rank); });
    return found;
}

/// Whether these are states of one set of processes.
bool same_ranks(const std::vector<RankState>& a, const std::vector<RankState>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
        return x.rank == y.rank && x.pid == y.pid;
    });
}

bool is_held_by_debugger(const RankState& state) {
    return state.state == 't';
}

}  // namespace

HangWatch::HangWatch(milliseconds limit, Time now) : limit_(limit), interval_(interval_of(limit)) {
    restart(now);
}

void HangWatch::restart(Time now) {
    quiet_since_ = now;
    due_ = now + interval_;
    quiet_samples_ = 0;
    last_.reset();
    asked_.reset();
    suspects_.clear();
    verdict_.reset();
}

void HangWatch::progress(Time now) {
    restart(now);
}

/// The time begins again with the sample, with which the next one is compared.
HangWatch::Step HangWatch::restart_with(Sample sample) {
    restart(sample.at);
    if (sample.complete) last_ = std::move(sample);
    return Step::wait;
}

/// Nothing: one of them computes for sure.
std::optional<StackGroups::Ranks> HangWatch::busy_ranks(const Sample& sample) const {
    const auto time = std::chrono::duration<double, std::milli>(sample.at - last_->at).count();
    StackGroups::Ranks busy;
    for (size_t i = 0; i < sample.ranks.size(); ++i) {
        const uint64_t before = last_->ranks[i].cpu_ms;
        const uint64_t now = sample.ranks[i].cpu_ms;
        if (now < before) return std::nullopt;  // a process of the rank has ended
        const auto used = static_cast<double>(now - before);
        const double by_threads = static_cast<double>(sample.ranks[i].thread_cpu_ms) -
                                  static_cast<double>(last_->ranks[i].thread_cpu_ms);
        if (used > one_core * time || by_threads >= idle_core * time) return std::nullopt;
        if (used >= idle_core * time) busy.insert(sample.ranks[i].rank);
    }
    return busy;
}

/// One rank that computes proves that the job does not hang, so that one is asked first: most
/// likely the one that has computed before.
void HangWatch::suspect(StackGroups::Ranks ranks) {
    busy_ = std::move(ranks);
    const bool computes = computed_ && busy_.contains(*computed_);
    suspects_ = {computes ? *computed_ : *busy_.begin()};
}

HangWatch::Step HangWatch::step(Sample sample) {
    if (sample.at < quiet_since_) return Step::wait;
    auto& ranks = sample.ranks;
    std::sort(ranks.begin(), ranks.end(),
              [](const auto& a, const auto& b) { return a.rank < b.rank; });
    const bool is_worked_on = std::any_of(ranks.begin(), ranks.end(), is_held_by_debugger);
    if (!sample.complete || is_worked_on) return restart_with(std::move(sample));
    due_ = sample.at + interval_;
    if (!last_) {
        last_ = std::move(sample);
        return Step::wait;
    }
    auto busy = same_ranks(last_->ranks, ranks) ? busy_ranks(sample) : std::nullopt;
    if (!busy) return restart_with(std::move(sample));
    asked_ = std::move(sample);
    busy_.clear();
    if (busy->empty()) return count_sample();
    suspect(*std::move(busy));
    return Step::stacks;
}

HangWatch::Step HangWatch::step(const StackGroups& stacks) {
    if (!asked_) return Step::wait;
    auto found = doings(stacks, suspects_);
    if (!found.computing.empty()) {
        computed_ = *found.computing.begin();
        if (!found.unknown.empty()) unknown_ = std::move(found.unknown);
        return restart_with(*std::exchange(asked_, std::nullopt));
    }
    if (suspects_.size() == busy_.size()) return count_sample();
    suspects_ = busy_;
    return Step::stacks;
}

HangWatch::Step HangWatch::count_sample() {
    last_ = std::exchange(asked_, std::nullopt);
    ++quiet_samples_;
    suspects_.clear();
    // Without this, samples would be too few if this process was stopped for a while.
    const auto enough = std::max<int64_t>(1, limit_ / interval_ - 1);
    if (quiet_samples_ < enough || last_->at - quiet_since_ < limit_) return Step::wait;
    verdict_ = {
        static_cast<uint32_t>(last_->ranks.size()), static_cast<uint32_t>(busy_.size()), {}};
    for (const auto& rank : last_->ranks)
        if (rank.state == 'T') verdict_->stopped.push_back(rank.rank);
    return Step::hangs;
}

}  // namespace launch
