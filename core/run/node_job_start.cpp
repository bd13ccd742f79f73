// SPDX-License-Identifier: MIT
// Ranks wait for their placement, for files, for the word of the head.

#include <csignal>
#include <unistd.h>

#include "core/run/node_job.hpp"

namespace launch {

void NodeJob::start_ranks(HostRank host, const std::vector<RankRun>& runs) {
    modex_->start(index(host) + 1, runs, !here_.remote);
    waiting_ranks_ = {host, runs};
    start_ready_ranks();
}

void NodeJob::open_stage() {
    const bool one_machine = surroundings_.tree.is_local() && (here_.remote || here_.self == 0);
    Stage::Settings settings{job_.stage,
                             {here_.self, here_.generation, one_machine},
                             surroundings_.guard.to_remove(),
                             [this](const WantedMessage& m) { upstream_.stage_wanted(m); },
                             [this](Error error) { stage_failed(std::move(error)); }};
    stage_ = std::make_unique<Stage>(executor_, std::move(settings));
    tree_.feed_children(number_, stage_->shelf());
    if (here_.self > 0) gate_.close(StartGate::Lock::files);  // the head has no ranks
    tasks_.spawn(stage_files());
}

/// Once; nothing can be done about a second one.
void NodeJob::stage_failed(Error error) {
    if (here_.self > 0) error.host = here_.host;
    if (std::exchange(stage_failed_, true)) return;
    FailureMessage failure{here_.self, false, {}, std::move(error)};
    if (is_guest() && here_.self > 0)
        upstream_.report(std::move(failure));
    else
        upstream_.failure(failure);
}

awaitable<void> NodeJob::stage_files() {
    const auto with_files = here_.self == 0 ? Stage::Part::head : Stage::Part::lone_machine;
    auto done = co_await stage_->run(here_.remote ? Stage::Part::relay : with_files);
    if (!done) {
        stage_failed(std::move(done.error()));
        co_return;
    }
    if (here_.self > 0 && !stage_->stopped()) {
        upstream_.report(StagedMessage{here_.self});
        if (job_.stage.keep && !stage_->folder().empty())
            upstream_.notice({here_.self, false, "staged files stay in " + stage_->shown_folder()});
    }
    unlock(StartGate::Lock::files);
}

void NodeJob::unlock(StartGate::Lock lock) {
    gate_.open(lock);
    gate_changed();
}

void NodeJob::prepared() {
    gate_.prepared();
    gate_changed();
}

void NodeJob::gate_changed() {
    start_ready_ranks();
    ask_for_input();
}

/// Ranks start when they are known and nothing is waited for any more; the last of that is what
/// they are offered.
void NodeJob::start_ready_ranks() {
    if (!waiting_ranks_) return;
    const bool will_run = !waiting_ranks_->second.empty() && !unstarted_;
    const auto next = gate_.next(will_run);
    if (next == StartGate::Next::prepare) tasks_.spawn(prepare_ranks());
    if (next != StartGate::Next::start) return;
    const auto [host, runs] = *std::exchange(waiting_ranks_, std::nullopt);
    if (unstarted_) ranks_.never_start(runs, *unstarted_);
    port_.reset();  // it is rank 0's now
    if (!unstarted_) ranks_.start(runs);
    for (const SignalMessage& order : std::exchange(early_signals_, {}))
        ranks_.signal(order.signal, order.ranks);
}

awaitable<void> NodeJob::prepare_ranks() {
    const auto [host, runs] = *waiting_ranks_;
    co_await find_places(runs);
    if (!places_->failure.empty()) {
        if (!unstarted_) unstarted_ = not_placed(*places_);
        co_return prepared();
    }
    tell_places();
    modex_->bound(places_->bound);
    ranks_.put(*places_);
    if (job_.rendezvous_port == 0) hold_port();
    if (port_ && job_.rendezvous_port == 0) job_.rendezvous_port = port_->number();
    if (stage_) ranks_.run_instead(stage_->programs(job_.programs));
    const bool has_input = !here_.remote && !is_guest() && isatty(0) == 0;
    LocalRanks::Where where{here_.self,   host,      here_.host,
                            here_.remote, has_input, interface_for_ranks()};
    co_await ranks_.prepare(std::move(where), runs, no_start_.get_token());
    prepared();
}

/// Ranks that wait, or are placed later, end by the signals that are to end them. Where nothing
/// starts before the head's word it does not wait for them either: they are not said to have ended.
void NodeJob::end_waiting(int signal) {
    if (!LocalRanks::ends_ranks(signal)) return;
    if (!placed() || waiting_ranks_) {
        unstarted_ = {{ExitStatus::Kind::signalled, signal}, {}};
        no_start_.request_stop();
    }
    if (stage_ && !stage_->stopped()) stage_->stop();
    if (!job_.starts_together()) unlock(StartGate::Lock::word);
}

}  // namespace launch
