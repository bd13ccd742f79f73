// SPDX-License-Identifier: MIT
#include "core/run/node_job.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "core/process/descendants.hpp"
#include "core/run/start_check.hpp"
#include "core/wire/start_word.hpp"

namespace launch {
namespace {

/// Lines of LAUNCH_LOG that wait for a slow reader.
constexpr size_t most_trace_lines = 10'000;

NotStarted not_forked(const Error& refused) {
    return {{ExitStatus::Kind::not_started, EAGAIN, ExitStatus::Stage::fork}, refused.cause};
}

}  // namespace

NodeJob::NodeJob(any_io_executor executor, JobNumber number, JobMessage job, std::string text,
                 Surroundings surroundings, NodeShare& share, Reaper& reaper, JobUpstream& upstream,
                 Node& tree)
    : executor_(executor),
      number_(number),
      job_(std::move(job)),
      job_text_(std::make_shared<const std::string>(std::move(text))),
      surroundings_(surroundings),
      share_(share),
      upstream_(upstream),
      tree_(tree),
      modex_(surroundings_.make_modex(executor, job_, *this)),
      input_(upstream, passed_),
      ranks_(executor, job_, share, reaper, upstream, input_, *modex_, surroundings_.make_rank),
      surveyed_(executor),
      tasks_(executor) {
    ranks_.when_over([this] { ranks_are_over(); });
}

void NodeJob::open(Here here) {
    here_ = std::move(here);
    if (here_.remote && looks_first() && !is_guest()) gate_.close(StartGate::Lock::look);
    if (job_.stage.any()) open_stage();
    for (const ChildView& child : tree_.all_children())
        begin_at(child);
}

awaitable<void> NodeJob::check() {
    const auto ranks = ranks_of(NodeRange{here_.self, 1});
    const auto check = std::make_shared<StartCheck>(job_, ranks.front());
    const auto patience = job_.policies.start_timeout;
    std::function<void()> work = [check] { check->run(); };
    const bool done =
        co_await share_.threads().run(std::move(work), patience, no_start_.get_token());
    if (placed()) co_await find_places(ranks.front());
    hold_port();
    if (done) {
        ranks_.found(check->found());
        auto unready = check->unready();
        if (unready.empty()) unready = unplaced(ranks.front());
        if (looks_alone()) hold_back(unready);
        tell_unready(std::move(unready));
    } else if (!no_start_.stop_requested()) {
        auto unready = check->unanswered(patience);
        if (const auto refused = share_.threads().no_thread()) unready.why = not_forked(*refused);
        give_up_start(std::move(unready));
    }
    unlock(StartGate::Lock::look);
}

/// Nothing starts here then, also where other hosts' ranks do: to execute a program would hang,
/// too.
void NodeJob::give_up_start(UnreadyMessage::Program unready) {
    unstarted_ = unready.why;
    tell_unready({std::move(unready)});
}

void NodeJob::tell_unready(std::vector<UnreadyMessage::Program> unready) {
    const auto& programs = job_.programs;
    // Whether other hosts have the job's folder the head knows, not this one.
    if (std::any_of(unready.begin(), unready.end(),
                    [&](const auto& program) { return lacks_job_folder(programs, program); }))
        gate_.close(StartGate::Lock::word);
    // A lone host needs no word of the head to know its port.
    const uint16_t port = port_ && !looks_alone() ? port_->number() : uint16_t{0};
    if (!unready.empty() || is_guest() || port != 0)
        upstream_.report(UnreadyMessage{here_.self, std::move(unready), port});
}

/// When the ranks here are known. A relay that was started for the job has looked by then.
void NodeJob::look_first() {
    if (!looks_alone()) {
        if (!is_guest()) return;
        if (!looks_first()) return tell_unready({});
    }
    gate_.close(StartGate::Lock::look);
    tasks_.spawn(check());
}

/// On a lone host the ranks of other programs wait for what the head makes of it: the end of the
/// job. That the host lacks the job's folder is left to the start, which may be at home.
void NodeJob::hold_back(std::vector<UnreadyMessage::Program>& unready) {
    if (!is_guest())
        std::erase_if(unready, [this](const auto& program) {
            return lacks_job_folder(job_.programs, program);
        });
    if (!unready.empty()) gate_.close(StartGate::Lock::word);
}

void NodeJob::modex_wants_peers() {
    if (is_guest())
        tasks_.spawn(refuse_peers());
    else
        tree_.want_peers();
}

/// Not while the exchange asks.
awaitable<void> NodeJob::refuse_peers() {
    modex_->no_peers();
    co_return;
}

bool NodeJob::from_parent(FrameType type, std::string_view body) {
    switch (type) {
        case FrameType::assignment: {
            auto assignment = AssignmentMessage::decode(body);
            return assignment && assignment->is_complete() && assign(*std::move(assignment));
        }
        case FrameType::modex:
            if (placed()) return modex_->from_parent(body);
            said_early_.push_back({{}, type, std::string(body)});
            return true;
        case FrameType::segment: return stage_ && stage_->take(body);
        case FrameType::input: {
            const auto piece = InputPiece::decode(body);
            return piece && take_input(*piece);
        }
        default: return false;
    }
}

bool NodeJob::from_child(NodeIndex child, FrameType type, std::string_view body) {
    if (!placed()) {
        said_early_.push_back({child, type, std::string(body)});
        return true;
    }
    switch (type) {
        case FrameType::exits: return ranks_exited(child, body);
        case FrameType::modex: return modex_->from_child(child, body);
        case FrameType::surveyed: return take_survey(body);
        case FrameType::input_refused: input_.refused(InputMerge::child_key(child)); return true;
        case FrameType::input_wanted: {
            const auto grant = InputGrant::decode(body);
            return grant && input_granted(child, *grant);
        }
        default: return false;
    }
}

bool NodeJob::from_peer(RoutePosition from, std::string_view message) {
    return placed() && modex_->from_peer(index(from), message);
}

bool NodeJob::ranks_exited(NodeIndex child, std::string_view body) {
    if (!placed()) return from_child(child, FrameType::exits, body);
    const auto message = ExitsMessage::decode(body);
    if (!message) return false;
    for (const RankExit& exit : message->exits)
        modex_->exited_below(child, exit.rank, exit.status);
    return true;
}

void NodeJob::hosts_failed(NodeIndex child, const FailureMessage& failure) {
    if (failure.was_up && placed())
        for (const uint32_t rank : ranks_of(failure))
            modex_->exited_below(child, rank, {ExitStatus::Kind::lost});
}

void NodeJob::ordered(FrameType type, uint64_t value) {
    if (type == FrameType::window)
        ranks_.resize({static_cast<uint16_t>(value >> 16), static_cast<uint16_t>(value)});
    if (type == FrameType::start_ranks) {
        const auto word = StartWord::of(value);
        word_ = job_.may_leave_wdir = word.may_leave_wdir;
        if (word.rendezvous_port != 0) job_.rendezvous_port = word.rendezvous_port;
        unlock(StartGate::Lock::word);
    }
    if (type != FrameType::terminate) return;
    if (!is_guest()) tree_.stop_starting();
    end_waiting(SIGTERM);
    const auto longest = static_cast<uint64_t>(job_.policies.kill_grace.count());
    const milliseconds grace{std::min(value, longest)};
    tasks_.spawn(ranks_.terminate(grace));
}

void NodeJob::signal(const SignalMessage& order) {
    if (order.ranks.empty()) {
        ranks_.signal(order.signal);
        end_waiting(order.signal);
    } else if (!placed() || waiting_ranks_) {
        if (LocalRanks::ends_ranks(order.signal)) early_signals_.push_back(order);
    } else {
        ranks_.signal(order.signal, order.ranks);
    }
}

void NodeJob::ask_again() {
    if (stage_) stage_->ask_again();
}

void NodeJob::new_parent() {
    forget_said_early(std::nullopt);
    say_again();
}

void NodeJob::say_again() {
    if (!placed()) return;
    modex_->new_parent();
    input_.tell_again();
}

void NodeJob::end(milliseconds grace) {
    end_waiting(SIGTERM);
    if (!ranks_.all_ended()) tasks_.spawn(ranks_.terminate(grace));
}

/// Called when the ranks have ended. If nothing of them is left that the job's end has to wait for,
/// reports at once that the job's part here is over, so that the head need not wait for another
/// report. The head asks for the stacks of ranks that died. Processes that they left behind may
/// serve ranks elsewhere until the job ends. At the head's own node this saves no report, and the
/// receiver takes the upstream away, which this part needs until it is gone.
void NodeJob::ranks_are_over() {
    const bool is_left = stage_ || !modex_->leaves_nothing() || has_children() || !trace_.empty() ||
                         !ranks_.cores().empty();
    if (!is_guest() || !here_.remote || is_left) return;
    told_end_ = true;
    tasks_.spawn(upstream_.ended(here_.self));
}

awaitable<void> NodeJob::finish() {
    no_survey_.request_stop();
    surveyed_.notify();
    co_await ranks_.finish();
    tree_.stop_feeding(number_);
    if (stage_) co_await stage_->remove();
    co_await modex_->close();
    co_await tasks_.join();
}

void NodeJob::modex_down(NodeIndex child, std::string message) {
    tree_.send_child(child, FrameType::modex, of_job(message));
}

void NodeJob::modex_down(NodeIndex child, MessageSource messages) {
    tree_.send_child(child, FrameType::modex, [number = number_, messages = std::move(messages)] {
        auto message = messages();
        if (message) message = wrap_job(number, *message);
        return message;
    });
}

void NodeJob::modex_peer(uint32_t number, std::string message) {
    tree_.send_peer(RoutePosition{number}, of_job(message));
}

/// Every job may have more started on its tree.
std::string NodeJob::modex_shared_name() const {
    return surroundings_.tree.id + "-" + std::to_string(here_.self);
}

void NodeJob::modex_spawn(SpawnMessage wanted) {
    wanted.node = here_.self;
    upstream_.report(std::move(wanted));
}

void NodeJob::modex_folder(const std::string& path) {
    surroundings_.guard.remove_at_end(path);
}

void NodeJob::modex_notice(const std::string& text) {
    upstream_.notice({here_.self, false, text});
}

void NodeJob::modex_trace(uint32_t rank, std::string line) {
    if (trace_.size() >= most_trace_lines) return;
    if (trace_.size() + 1 == most_trace_lines) line = "pmi: too many lines; some are left out";
    line += '\n';
    trace_.emplace_back(rank, std::move(line));
    if (trace_.size() == 1) tasks_.spawn(carry_trace());
}

awaitable<void> NodeJob::carry_trace() {
    while (!trace_.empty()) {
        const auto& [rank, line] = trace_.front();
        const OutputMessage message{rank, Stream::err, line};
        co_await upstream_.output(message);
        trace_.pop_front();
    }
}

}  // namespace launch
