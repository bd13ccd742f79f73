// SPDX-License-Identifier: MIT
#include "core/head/hang_watch.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>

namespace launch {
namespace {

using std::chrono::milliseconds;

constexpr int samples_of_limit = 10;

milliseconds interval_of(milliseconds limit) {
    const milliseconds part{(limit.count() + samples_of_limit - 1) / samples_of_limit};
    return std::max(part, HangWatch::shortest_interval);
}

/// In C and Fortran, with and without a profiler's layer, and inside of MPICH and Open MPI.
constexpr auto mpi_prefixes =
    std::to_array<std::string_view>({"MPI_", "PMPI_", "mpi_", "pmpi_", "MPIX_", "PMPIX_", "MPIR_",
                                     "MPID_", "MPIDI_", "MPIDU_", "ompi_", "opal_", "mca_"});
constexpr auto file_prefixes =
    std::to_array<std::string_view>({"MPI_File_", "PMPI_File_", "mpi_file_", "pmpi_file_"});

bool begins_with_any(std::string_view frame, std::span<const std::string_view> prefixes) {
    return std::any_of(prefixes.begin(), prefixes.end(),
                       [&](std::string_view prefix) { return frame.starts_with(prefix); });
}

bool has_any(const Stack& stack, std::span<const std::string_view> prefixes) {
    return std::any_of(stack.frames.begin(), stack.frames.end(),
                       [&](const auto& frame) { return begins_with_any(frame, prefixes); });
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

bool is_in_mpi(const Stack& stack) {
    return has_any(stack, mpi_prefixes) && !has_any(stack, file_prefixes);
}

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
        if (used > one_core * time) return std::nullopt;
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
    StackGroups::Ranks computing = suspects_;
    std::string why;
    for (const auto& [stack, ranks] : stacks.by_size()) {
        if (is_in_mpi(stack))
            for (const uint32_t rank : ranks)
                computing.erase(rank);
        else if (stack.frames.empty() && stack.note.starts_with("no stack"))
            why = stack.note;
    }
    if (!computing.empty()) {
        computed_ = *computing.begin();
        if (!why.empty()) unknown_ = std::move(why);
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
