// SPDX-License-Identifier: MIT
#include "core/relay/relay_run.hpp"

#include <algorithm>

#include "core/link/heartbeat.hpp"

namespace launch {

/// To the end of the link: also while this relay leaves, credit must come through for what is
/// still on its way up.
awaitable<void> RelayRun::listen() {
    for (;;) {
        auto frame = co_await link_.receive();
        const bool understood = frame && handle(*frame);
        if (frame && !understood) link_.refuse(frame->type);
        if (!understood) break;
    }
    link_.close();
    if (node_) node_->lose_parent();
    step(RelayEvent::parent_lost);
}

/// A parent that greeted and then sends nothing any more is gone.
awaitable<void> RelayRun::wait_for_part() {
    const auto deadline = Clock::now() + patience::part;
    while (!node_ && !is_to_leave(state_) && Clock::now() < deadline)
        co_await changed_.wait_until(deadline);
    if (!node_) link_.close();
}

awaitable<void> RelayRun::watch_signals() {
    std::error_code ec;
    auto token = asio::redirect_error(asio::use_awaitable, ec);
    co_await signals_.async_wait(token);
    // A relay that is ended ends its host's part of the job. The parent sees the link end.
    if (state_ != RelayState::left) link_.close();
}

awaitable<void> RelayRun::keep_time() {
    Heartbeat heart(tree_.policies.liveness);
    while (heart.enabled() && state_ != RelayState::left) {
        clock_.expires_at(heart.next());
        std::error_code ec;
        auto token = asio::redirect_error(asio::use_awaitable, ec);
        co_await clock_.async_wait(token);
        if (ec || state_ == RelayState::left) continue;
        const int late = heart.take();
        if (node_) node_->beat(starting(), late);
        link_.beat(starting(), parent_paused_, late);
    }
}

awaitable<void> RelayRun::leave() {
    if (!node_) co_return;
    if (state_ == RelayState::dismissed) {
        co_await jobs_->finish(patience::leave_within(jobs_->kill_grace()));
        co_return;
    }
    // Nodes below may find another parent: this one ends only what runs here.
    node_->leave_children();
    const auto grace = state_ == RelayState::removed ? jobs_->kill_grace() : patience::orphans;
    const auto number = encode_number(static_cast<uint64_t>(grace.count()));
    node_->broadcast(FrameType::terminate, wrap_job(all_jobs, number));
    co_await jobs_->finish(grace * 2);
}

LinkCounts RelayRun::counts() const {
    LinkCounts counts = link_.counts();
    if (node_) counts += node_->counts();
    return counts;
}

void RelayRun::tell_stats() {
    if (!node_ || !tree_.policies.stats) return;
    NodeStats stats = node_->stats();
    stats.links += link_.open_links();
    stats.direct_links += link_.is_direct() ? 1U : 0U;
    stats.counts = phases_.close(counts());
    stats.start_us = times_.between(times_.began, times_.told);
    stats.up_us = times_.between(times_.told, times_.up);
    stats.end_us = times_.between(times_.ending, Clock::now());
    link_.report(FrameType::stats, stats.encode());
}

awaitable<void> RelayRun::run() {
    tasks_.spawn(reaper_.run());
    tasks_.spawn(watch_signals());
    const bool greeted = co_await link_.greet();
    if (greeted) {
        tasks_.spawn(listen());
        tasks_.spawn(wait_for_part());
        while (!is_to_leave(state_))
            co_await changed_.wait();
    } else {
        step(RelayEvent::parent_lost);
    }
    times_.ending = Clock::now();
    begin(JobPhase::end);
    if (state_ != RelayState::dismissed) link_.close();
    // A node that leaves alone is not waited for, and may have another relay in its place.
    const bool all_end = node_ && node_->orders().has(FrameType::finish);
    co_await leave();
    reaper_.stop();
    tell_stats();
    // A slow reader may keep what is still on its way up for long: the clock of liveness runs on.
    if (all_end) co_await link_.confirmed();
    co_await link_.finish();
    step(RelayEvent::cleaned_up);
    clock_.cancel();
    signals_.cancel();
    link_.close();
    co_await tasks_.join();
    if (node_) co_await node_->close_links();
}

}  // namespace launch
