// A node whose ranks wait for files.

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
    files_ready_ = self_ == 0;  // the head has no ranks
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
    files_ready_ = true;
    if (self_ > 0 && !stage_->stopped()) {
        upstream_.staged({self_});
        if (settings_.job.stage.keep && !stage_->folder().empty())
            upstream_.notice({self_, false, "staged files stay in " + stage_->shown_folder()});
    }
    start_ready_ranks();
    if (input_known_) input_.open();
}

/// Ranks start when they are known and their files are here.
void Node::start_ready_ranks() {
    if (!files_ready_ || !placed_ranks_) return;
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
    if (files_ready_) input_.open();
}

/// Ranks that wait for files end by the signals that are to end them.
void Node::end_staging(int signal) {
    const bool ends =
        signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT;
    if (!stage_ || !ends || stage_->stopped()) return;
    if (!files_ready_) unstarted_by_ = signal;
    stage_->stop();
}

}  // namespace launch
