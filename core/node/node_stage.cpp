// A node whose ranks wait: for files, for the head's word.

#include <csignal>

#include "core/node/node.hpp"

namespace launch {

void Node::open_stage() {
    const bool one_machine = settings_.job.transport.name == "local" && (remote_ || self_ == 0);
    Stage::Settings settings{settings_.job.stage,
                             {self_, one_machine},
                             settings_.guard.remains(),
                             [this](const WantedMessage& m) { upstream_.stage_wanted(m); },
                             [this](Error error) { stage_failed(std::move(error)); }};
    stage_ = std::make_unique<Stage>(executor_, std::move(settings));
    context_.stage = &stage_->shelf();
    if (self_ > 0) gate_.close(StartGate::Lock::files);  // the head has no ranks
    tasks_.spawn(stage_files());
}

/// Once; nothing can be done about a second one.
void Node::stage_failed(Error error) {
    if (self_ > 0) error.host = host_;
    if (!std::exchange(stage_failed_, true))
        upstream_.failure({self_, false, {}, std::move(error)});
}

awaitable<void> Node::stage_files() {
    const auto with_files = self_ == 0 ? Stage::Part::head : Stage::Part::lone_machine;
    auto done = co_await stage_->run(remote_ ? Stage::Part::relay : with_files);
    if (!done) {
        stage_failed(std::move(done.error()));
        co_return;
    }
    if (self_ > 0 && !stage_->stopped()) {
        upstream_.staged({self_});
        if (settings_.job.stage.keep && !stage_->folder().empty())
            upstream_.notice({self_, false, "staged files stay in " + stage_->shown_folder()});
    }
    unlock(StartGate::Lock::files);
}

void Node::unlock(StartGate::Lock lock) {
    gate_.open(lock);
    start_ready_ranks();
    if (input_known_ && gate_.is_open()) input_.open();
}

/// Ranks start when they are known and nothing is waited for any more.
void Node::start_ready_ranks() {
    if (!gate_.is_open() || !placed_ranks_) return;
    const auto [number, runs] = *std::exchange(placed_ranks_, std::nullopt);
    if (runs.empty()) return;
    if (unstarted_by_ != 0) {
        ranks_.never_start(runs, unstarted_by_);
        return;
    }
    if (stage_) ranks_.run_instead(stage_->programs(settings_.job.programs));
    ranks_.start({self_, number, host_, remote_}, runs);
}

void Node::open_input() {
    input_known_ = true;
    if (gate_.is_open()) input_.open();
}

/// Ranks that wait end by the signals that are to end them. Where nothing starts before the head's
/// word it does not wait for them either: they are not said to have ended.
void Node::end_waiting(int signal) {
    const bool ends =
        signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT;
    if (!ends) return;
    if (!gate_.is_open()) unstarted_by_ = signal;
    if (stage_ && !stage_->stopped()) stage_->stop();
    if (!settings_.job.starts_together()) unlock(StartGate::Lock::word);
}

}  // namespace launch
