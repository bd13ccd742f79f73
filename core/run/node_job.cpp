#include "core/run/node_job.hpp"

#include <algorithm>
#include <csignal>

#include "core/run/start_check.hpp"

namespace launch {
namespace {

/// Lines of LAUNCH_LOG that wait for a slow reader.
constexpr size_t most_trace_lines = 10'000;

}  // namespace

NodeJob::NodeJob(any_io_executor executor, Settings settings, Reaper& reaper, JobUpstream& upstream,
                 Node& tree)
    : executor_(executor),
      settings_(settings),
      upstream_(upstream),
      tree_(tree),
      modex_(settings_.make_modex(executor, settings_.job, *this)),
      input_(upstream),
      ranks_(executor, settings_.job, reaper, upstream, input_, *modex_),
      files_(executor, 1),
      tasks_(executor) {
    tree_.carry(*this);
}

void NodeJob::open(Place place) {
    place_ = std::move(place);
    placed_late_ = !placed();
    if (settings_.job.starts_together()) gate_.close(StartGate::Lock::word);
    if (place_.remote && looks_first()) gate_.close(StartGate::Lock::look);
}

awaitable<void> NodeJob::check() {
    const auto check = std::make_shared<StartCheck>(settings_.job, place_.ranks.front());
    const auto patience = settings_.job.policies.start_timeout;
    std::function<void()> work = [check] { check->run(); };
    const bool done = co_await files_.run(std::move(work), patience, no_start_.get_token());
    if (done)
        tell_unready(check->unready());
    else if (!no_start_.stop_requested())
        give_up_start(check->unanswered(patience));
    unlock(StartGate::Lock::look);
}

/// Nothing starts here then, also where other hosts' ranks do: to execute a program would hang,
/// too.
void NodeJob::give_up_start(UnreadyMessage::Program unready) {
    unstarted_ = unready.why;
    tell_unready({std::move(unready)});
}

void NodeJob::tell_unready(std::vector<UnreadyMessage::Program> unready) {
    const auto& programs = settings_.job.programs;
    // Whether other hosts have the job's folder the head knows, not this one.
    if (std::any_of(unready.begin(), unready.end(),
                    [&](const auto& program) { return lacks_job_folder(programs, program); }))
        gate_.close(StartGate::Lock::word);
    if (!unready.empty()) upstream_.unready({place_.self, std::move(unready)});
}

void NodeJob::start() {
    if (settings_.job.stage.any()) open_stage();
    if (!placed_late_) start_ranks(place_.self, place_.ranks.front());
    tree_.start();
    if (!placed_late_) open_input();
}

bool NodeJob::from_parent(FrameType type, std::string_view body) {
    switch (type) {
        case FrameType::modex: return placed() && modex_->from_parent(body);
        case FrameType::segment: return stage_ && stage_->take(body);
        case FrameType::input: give_input(body); return true;
        default: return false;
    }
}

bool NodeJob::from_child(NodeIndex child, FrameType type, std::string_view body) {
    if (!placed()) return false;  // nobody below has ranks yet
    switch (type) {
        case FrameType::modex: return modex_->from_child(child, body);
        case FrameType::input_refused: input_.refused(InputMerge::child_key(child)); return true;
        case FrameType::input_wanted: {
            const auto bytes = decode_number(body);
            if (bytes) input_.wanted(InputMerge::child_key(child), *bytes);
            return bytes.has_value();
        }
        default: return false;
    }
}

bool NodeJob::from_peer(uint32_t place, std::string_view message) {
    return modex_->from_peer(place, message);
}

bool NodeJob::report_passes(NodeIndex child, FrameType type, std::string_view body) {
    if (type == FrameType::exits) {
        if (!placed()) return false;
        const auto message = ExitsMessage::decode(body);
        if (!message) return false;
        for (const RankExit& exit : message->exits)
            modex_->exited_below(child, exit.rank, exit.status);
        return true;
    }
    if (type != FrameType::failure) return true;
    const auto message = FailureMessage::decode(body);
    if (!message) return false;
    if (message->was_up && placed())
        for (const uint32_t rank : ranks_of(*message))
            modex_->exited_below(child, rank, {ExitStatus::Kind::lost});
    return true;
}

void NodeJob::ordered(FrameType type, uint64_t value) {
    if (type == FrameType::signal && value < NSIG) {
        ranks_.signal(static_cast<int>(value));
        end_waiting(static_cast<int>(value));
    }
    if (type == FrameType::start_ranks) unlock(StartGate::Lock::word);
    if (type != FrameType::terminate) return;
    end_waiting(SIGTERM);
    const milliseconds grace{std::min<uint64_t>(value, UINT32_MAX)};
    tasks_.spawn(ranks_.terminate(grace));
}

void NodeJob::give_input(std::string_view bytes) {
    ranks_.give_input(bytes);
    for (const NodeIndex child : tree_.child_indices())
        if (input_.reads(InputMerge::child_key(child))) tree_.send_input(child, bytes);
}

void NodeJob::ask_again() {
    if (stage_) stage_->ask_again();
}

void NodeJob::new_parent() {
    if (placed()) modex_->new_parent();
}

awaitable<std::vector<std::string>> NodeJob::finish(milliseconds limit) {
    tree_.begin_end();
    end_waiting(SIGTERM);
    if (!ranks_.all_ended()) tasks_.spawn(ranks_.terminate(limit / 2));
    auto stuck = co_await tree_.finish_children(limit);
    co_await ranks_.finish(settings_.job.policies.kill_grace);
    if (stage_) co_await stage_->remove();
    co_await modex_->close();
    co_await tasks_.join();
    co_await tree_.join();
    co_return stuck;
}

void NodeJob::modex_down(NodeIndex child, std::string message) {
    tree_.send_child(child, FrameType::modex, message);
}

void NodeJob::modex_down(NodeIndex child, MessageSource messages) {
    tree_.send_child(child, FrameType::modex, std::move(messages));
}

void NodeJob::modex_peer(uint32_t number, std::string message) {
    tree_.send_peer(number, std::move(message));
}

void NodeJob::modex_folder(const std::string& path) {
    settings_.guard.remove_at_end(path);
}

void NodeJob::modex_notice(const std::string& text) {
    upstream_.notice({place_.self, false, text});
}

void NodeJob::modex_trace(uint32_t rank, std::string line) {
    if (trace_.size() >= most_trace_lines) return;
    if (trace_.size() + 1 == most_trace_lines) line = "pmi: more than can be written; left out";
    line += '\n';
    trace_.push_back(OutputMessage{rank, Stream::err, line}.encode());
    if (!std::exchange(tracing_, true)) tasks_.spawn(carry_trace());
}

awaitable<void> NodeJob::carry_trace() {
    while (!trace_.empty()) {
        std::string message = std::move(trace_.front());
        trace_.pop_front();
        co_await upstream_.output(std::move(message));
    }
    tracing_ = false;
}

}  // namespace launch
