#include "core/relay/relay_run.hpp"

#include <algorithm>

#include "core/link/heartbeat.hpp"

namespace launch {

/// To the end of the link: also while this relay leaves, credit must come through for what is
/// still on its way up.
awaitable<void> RelayRun::listen() {
    for (;;) {
        auto frame = co_await link_.receive();
        if (!frame || !handle(*frame)) break;
        if (told_to_finish_) changed_.notify();
    }
    parent_gone_ = true;
    link_.close();
    changed_.notify();
}

/// Who greeted and then says nothing any more is gone.
awaitable<void> RelayRun::wait_for_part() {
    const auto deadline = Clock::now() + patience::part;
    while (!node_ && !parent_gone_ && Clock::now() < deadline)
        co_await changed_.wait_until(deadline);
    if (!node_) link_.close();
}

awaitable<void> RelayRun::watch_signals() {
    std::error_code ec;
    auto token = asio::redirect_error(asio::use_awaitable, ec);
    co_await signals_.async_wait(token);
    // Whoever ends a relay ends its host's part of the job. The parent sees the link end, and so do
    // those below, who find another.
    if (stopping_) co_return;
    if (node_) node_->leave_children();
    link_.close();
}

awaitable<void> RelayRun::keep_time() {
    Heartbeat heart(job_.policies.liveness);
    while (heart.enabled() && !stopping_) {
        clock_.expires_at(heart.next());
        std::error_code ec;
        auto token = asio::redirect_error(asio::use_awaitable, ec);
        co_await clock_.async_wait(token);
        if (ec || stopping_) continue;
        const int late = heart.take();
        if (node_) node_->beat(starting(), late);
        link_.beat(starting(), parent_paused_, late);
    }
}

awaitable<void> RelayRun::leave() {
    if (!node_) co_return;
    if (parent_gone_) node_->lose_parent();
    if (!told_to_finish_)
        node_->broadcast(
            FrameType::terminate,
            static_cast<uint64_t>(std::min(patience::orphans, job_.policies.kill_grace).count()));
    co_await node_job_->finish(told_to_finish_ ? patience::leave : patience::orphans * 2);
}

LinkCounts RelayRun::counts() const {
    LinkCounts counts = link_.counts();
    if (node_) counts += node_->counts();
    return counts;
}

void RelayRun::tell_stats() {
    if (!node_ || !job_.policies.stats) return;
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
        while (!told_to_finish_ && !parent_gone_)
            co_await changed_.wait();
    }
    times_.ending = Clock::now();
    begin(JobPhase::end);
    if (!told_to_finish_) link_.close();
    co_await leave();
    reaper_.stop();
    tell_stats();
    // A slow reader may keep what is still on its way up for long: the clock of liveness runs on.
    co_await link_.finish();
    stopping_ = true;
    clock_.cancel();
    signals_.cancel();
    link_.close();
    co_await tasks_.join();
    if (node_) co_await node_->close_links();
}

}  // namespace launch
