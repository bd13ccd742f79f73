#include "core/head/head.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <unistd.h>

#include "core/async/run.hpp"
#include "core/base/build_id.hpp"
#include "core/base/seconds.hpp"
#include "core/head/console.hpp"
#include "core/head/job_record.hpp"
#include "core/head/report.hpp"
#include "core/head/signals.hpp"
#include "core/hosts/hostlist.hpp"
#include "core/io/stdin_reader.hpp"
#include "core/job/node_map.hpp"
#include "core/node/heartbeat.hpp"
#include "core/node/node.hpp"

namespace launch {
namespace {

constexpr milliseconds leave_limit{5000};
constexpr milliseconds progress_after{1000};
constexpr milliseconds progress_every{500};
/// The same notice comes from many hosts over the time of a start: it is told once, folded.
constexpr milliseconds notice_delay{3000};
/// The same when all hosts are up: what they say then, they say at once.
constexpr milliseconds short_notice_delay{200};
constexpr size_t input_chunk = 64u << 10;

JobMessage job_message(const Plan& plan, const HeadOptions& options) {
    const JobSpec& spec = plan.spec;
    JobMessage job;
    job.job_id = spec.job_id;
    job.programs = spec.programs;
    job.policies = spec.policies;
    job.transport = spec.transport;
    job.env = spec.env;
    job.wdir = spec.wdir;
    job.launch_path = spec.launch_path;
    job.topology = plan.topology->name();
    job.ranks = plan.placement.ranks();
    job.nodes = static_cast<uint32_t>(plan.hosts.size());
    job.universe_size = plan.universe_size;
    job.process_mapping = plan.process_mapping;
    if (spec.policies.pmi != PmiChoice::none)
        job.node_map = encode_node_map(plan.hosts, plan.placement);
    job.log = options.log;
    return job;
}

/// The whole tree as a block: its root is the head, which has no ranks of its own here.
Block whole_tree(const Plan& plan) {
    Block block;
    block.hosts.push_back(Host{"", "head", 0, 1});
    block.ranks.emplace_back();
    for (size_t i = 0; i < plan.hosts.size(); ++i) {
        const auto runs = plan.placement.node(i);
        block.hosts.push_back(plan.hosts[i]);
        block.ranks.emplace_back(runs.begin(), runs.end());
    }
    return block;
}

Block only_this_machine(const Plan& plan) {
    Block block;
    block.first = 1;
    block.hosts = plan.hosts;
    const auto runs = plan.placement.node(0);
    block.ranks.emplace_back(runs.begin(), runs.end());
    return block;
}

class Head : public Upstream {
  public:
    Head(asio::io_context& io, const Plan& plan, std::unique_ptr<Transport>& transport,
         const ModexFactory& make_modex, const HeadOptions& options, const Guard& guard,
         Reaper& reaper)
        : executor_(io.get_executor()),
          plan_(plan),
          transport_(transport),
          guard_(guard),
          job_(job_message(plan, options)),
          record_(plan),
          console_(executor_, options.quiet, options.progress),
          reaper_(reaper),
          node_(executor_,
                Node::Settings{job_, job_.encode(), own_build_id(), *plan.topology, *transport,
                               make_modex, guard},
                reaper, *this),
          changed_(executor_),
          input_changed_(executor_),
          signals_(executor_),
          tasks_(executor_) {}

    awaitable<void> run();
    const JobOutcome& outcome() const { return outcome_; }
    void note_transport(const std::string& host, const std::string& text) {
        if (job_.policies.verbose) console_.say(host + ": " + text);
    }

    void nodes_up(const std::vector<NodeIndex>& nodes) override {
        for (const NodeIndex node : nodes)
            record_.node_up(node);
        changed_.notify();
    }
    void failure(const FailureMessage& failure) override;
    void exits(const std::vector<RankExit>& exits) override;
    void notice(const NoticeMessage& notice) override;
    void fault(const FaultMessage& fault) override;
    void modex(std::string) override {}  // the head is the root of the exchange
    void input_wanted(uint64_t bytes) override;
    void input_refused() override;
    awaitable<bool> output(std::string message) override;

  private:
    void end_job(milliseconds grace);
    void fail_job(Error error);
    void output_failed();
    awaitable<void> wait_for_end();
    awaitable<void> finish();
    void report();
    void flush_notices();
    std::string progress_line() const;

    void catch_signals();
    awaitable<void> watch_signals();
    void handle_signal(int number);
    awaitable<void> stop_here();
    awaitable<void> give_up_late();
    awaitable<void> keep_time();
    awaitable<void> keep_timeout();
    awaitable<void> keep_start_limit();
    awaitable<void> show_progress();
    awaitable<void> carry_input();

    any_io_executor executor_;
    const Plan& plan_;
    std::unique_ptr<Transport>& transport_;
    const Guard& guard_;
    JobMessage job_;
    JobRecord record_;
    Console console_;
    Reaper& reaper_;
    Node node_;
    Event changed_;
    Event input_changed_;
    asio::signal_set signals_;
    TaskGroup tasks_;
    SignalPolicy signal_policy_;
    JobOutcome outcome_;
    std::unique_ptr<StdinReader> input_;
    uint64_t input_credit_ = 0;
    std::vector<std::pair<std::string, std::string>> notices_;
    Clock::time_point notices_due_ = Clock::time_point::max();
    bool ending_ = false;
    bool done_ = false;
    bool leaving_ = false;
    std::optional<Clock::time_point> give_up_at_;
};

void Head::failure(const FailureMessage& failure) {
    record_.host_failed(failure);
    // A host that was lost ends the job at once. One that could not be started ends it when all
    // others have been tried, so that the user learns of every bad host in one go.
    if (failure.was_up) end_job(job_.policies.kill_grace);
    changed_.notify();
}

void Head::fault(const FaultMessage& fault) {
    if (ending_) return;
    Error error = fault_error(fault, record_.host_of_rank(fault.rank));
    if (fault.kind != FaultMessage::Kind::aborted) {
        fail_job(std::move(error));
        return;
    }
    console_.say(describe(error));
    // An abort is a failure, whatever the number says.
    const int32_t code = fault.value & 0xff;
    outcome_.failed = ExitStatus{ExitStatus::Kind::exited, code == 0 ? 1 : code};
    end_job(job_.policies.kill_grace);
}

void Head::exits(const std::vector<RankExit>& exits) {
    for (const auto& exit : exits) {
        const bool first = record_.rank_ended(exit);
        if (first) outcome_.failed = exit.status;
        if (first && !job_.policies.keep_going) end_job(job_.policies.kill_grace);
    }
    changed_.notify();
}

void Head::notice(const NoticeMessage& notice) {
    if (notice.verbose_only && !job_.policies.verbose) return;
    const std::string host = notice.node > 0 && notice.node <= plan_.hosts.size()
                                 ? plan_.hosts[notice.node - 1].name
                                 : "";
    if (notices_.empty()) {
        notices_due_ = Clock::now() + (record_.all_known() ? short_notice_delay : notice_delay);
        changed_.notify();
    }
    notices_.emplace_back(notice.text, host);
}

void Head::flush_notices() {
    notices_due_ = Clock::time_point::max();
    while (!notices_.empty()) {
        const std::string text = notices_.front().first;
        std::vector<std::string> hosts;
        std::erase_if(notices_, [&](const auto& notice) {
            if (notice.first != text) return false;
            if (!notice.second.empty()) hosts.push_back(notice.second);
            return true;
        });
        console_.note("note: " + (hosts.empty() ? text : fold_names(hosts) + ": " + text));
    }
}

void Head::input_wanted(uint64_t bytes) {
    input_credit_ += bytes;
    if (!input_ && !done_) {
        input_ = std::make_unique<StdinReader>(executor_);
        tasks_.spawn(carry_input());
    }
    input_changed_.notify();
}

void Head::input_refused() {
    if (input_) input_->stop();
    input_changed_.notify();
}

awaitable<bool> Head::output(std::string message) {
    const auto output = OutputMessage::decode(message);
    if (!output) co_return true;
    const bool taken = co_await console_.output(*output);
    if (!taken) output_failed();
    co_return taken;
}

void Head::output_failed() {
    if (ending_) return;
    const int error = console_.output_error();
    if (error == EPIPE) {
        outcome_.signal = SIGPIPE;  // `launch ... | head -1`: the reader has seen enough
        end_job(job_.policies.kill_grace);
        return;
    }
    Error failure = os_error("write standard output", error);
    failure.kind = ErrorKind::output;
    fail_job(std::move(failure));
}

void Head::fail_job(Error error) {
    if (!outcome_.error) outcome_.error = std::move(error);
    end_job(job_.policies.kill_grace);
}

void Head::end_job(milliseconds grace) {
    const auto give_up_at = Clock::now() + grace + leave_limit;
    if (ending_ && give_up_at_ && give_up_at >= *give_up_at_) return;
    ending_ = true;
    give_up_at_ = give_up_at;
    record_.ending();
    node_.terminate(grace);
    changed_.notify();
}

awaitable<void> Head::wait_for_end() {
    for (;;) {
        if (ending_ && (record_.running() == 0 || Clock::now() >= *give_up_at_)) co_return;
        if (record_.all_known() && !record_.host_failures().empty() && !ending_)
            end_job(job_.policies.kill_grace);
        else if (record_.all_ended())
            co_return;
        else
            co_await changed_.wait_until(give_up_at_.value_or(Clock::time_point::max()));
    }
}

awaitable<void> Head::finish() {
    done_ = true;
    if (input_) input_->stop();
    input_changed_.notify();
    auto stuck = co_await node_.finish(leave_limit);
    if (!stuck.empty() && !outcome_.error) {
        outcome_.error = Error{ErrorKind::unreachable,
                               "end the job",
                               fold_names(stuck),
                               -1,
                               "no confirmation that all is over there; output may be missing",
                               {}};
    } else if (!stuck.empty())
        console_.say(fold_names(stuck) + ": did not confirm its end within " +
                     std::to_string(leave_limit.count() / 1000) +
                     " s; its processes end when it notices that this job is gone");
    flush_notices();
    report();
    console_.progress({});
    if (outcome_.signal != 0) tasks_.spawn(give_up_late());
    co_await console_.drain();
    leaving_ = true;
    changed_.notify();
    signals_.cancel();
    reaper_.stop();
    co_await tasks_.join();
    if (console_.output_error() != 0 && !outcome_.error && outcome_.signal == 0 &&
        !outcome_.failed) {
        ending_ = false;
        output_failed();
        if (outcome_.error) console_.say(describe(*outcome_.error));
        co_await console_.drain();
    }
}

void Head::report() {
    if (!record_.host_failures().empty()) {
        for (const auto& line : host_failure_lines(record_.host_failures()))
            console_.say(line);
        if (!outcome_.error) outcome_.error = record_.host_failures().front().error;
    } else if (outcome_.error) {
        console_.say(describe(*outcome_.error));
    }
    for (const auto& line : stuck_rank_lines(record_))
        console_.say(line);
    if (outcome_.signal != 0) return;
    for (const auto& line : rank_failure_lines(record_, plan_.spec))
        console_.say(line);
}

void Head::catch_signals() {
    for (const int number :
         {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT}) {
        // What whoever started us chose to ignore (nohup, a shell's background job) stays so.
        struct sigaction before {};
        sigaction(number, nullptr, &before);
        if (before.sa_handler != SIG_IGN) signals_.add(number);
    }
}

awaitable<void> Head::watch_signals() {
    for (;;) {
        std::error_code ec;
        auto token = asio::redirect_error(asio::use_awaitable, ec);
        const int number = co_await signals_.async_wait(token);
        if (ec || leaving_) co_return;
        handle_signal(number);
    }
}

void Head::handle_signal(int number) {
    if (number == SIGTERM && guard_.lost()) {
        console_.give_up();
        end_job(milliseconds{500});
        return;
    }
    if (done_) {
        console_.give_up();  // only output that nobody takes is left
        return;
    }
    switch (signal_policy_.decide(number, Clock::now())) {
        case SignalPolicy::Action::ignore: return;
        case SignalPolicy::Action::kill:
            console_.give_up();
            outcome_.signal = number;
            end_job(milliseconds{0});
            return;
        case SignalPolicy::Action::stop: tasks_.spawn(stop_here()); return;
        case SignalPolicy::Action::forward:
            node_.signal(number);
            // Nothing to interrupt yet: the start itself is what the user means.
            if (number == SIGINT && !record_.all_known()) {
                outcome_.signal = number;
                end_job(job_.policies.kill_grace);
            }
            return;
        case SignalPolicy::Action::forward_and_end:
            node_.signal(number);
            outcome_.signal = number;
            end_job(job_.policies.kill_grace);
            return;
    }
}

/// A job that was told to end does not wait for ever for a reader of its last output.
awaitable<void> Head::give_up_late() {
    const auto deadline = Clock::now() + job_.policies.kill_grace;
    while (!leaving_ && Clock::now() < deadline)
        co_await changed_.wait_until(deadline);
    console_.give_up();
}

/// ^Z: the ranks are stopped first, the relays are told not to miss us, then we stop as the
/// shell expects. SIGCONT reaches the ranks like any signal.
awaitable<void> Head::stop_here() {
    node_.signal(SIGTSTP);
    node_.pause();
    co_await sleep_for(executor_, milliseconds{50});
    raise(SIGSTOP);
}

awaitable<void> Head::keep_time() {
    Heartbeat heart(job_.policies.liveness);
    while (heart.enabled() && !leaving_) {
        co_await changed_.wait_until(heart.next());
        if (heart.due()) node_.beat(!record_.all_known(), heart.take());
    }
}

awaitable<void> Head::keep_timeout() {
    if (plan_.spec.timeout.count() == 0) co_return;
    const auto deadline = Clock::now() + plan_.spec.timeout;
    while (!done_ && Clock::now() < deadline)
        co_await changed_.wait_until(deadline);
    if (done_) co_return;
    Error error;
    error.kind = ErrorKind::timed_out;
    error.operation = "run the job";
    const auto running = record_.running();
    error.cause = "not done within --timeout " + in_seconds(plan_.spec.timeout) + "; " +
                  std::to_string(running) + (running == 1 ? " rank was" : " ranks were") +
                  " still running";
    if (running > 0) error.cause += " on " + fold_names(record_.hosts_with_running_ranks());
    fail_job(std::move(error));
}

/// However many hosts hang, and wherever in the tree: a start has an end.
awaitable<void> Head::keep_start_limit() {
    const auto limit = plan_.start_limit;
    if (limit.count() == 0) co_return;
    const auto deadline = Clock::now() + limit;
    while (!ending_ && !done_ && !record_.all_known() && Clock::now() < deadline)
        co_await changed_.wait_until(deadline);
    if (ending_ || done_) co_return;
    for (const NodeIndex node : record_.missing_nodes()) {
        Error error;
        error.kind = ErrorKind::unreachable;
        error.operation = "start";
        error.host = plan_.hosts[node - 1].name;
        error.cause = "not started within " + in_seconds(limit);
        error.hint = "if it takes so long: --start-limit";
        failure({node, false, 0, std::move(error)});
    }
}

std::string Head::progress_line() const {
    if (ending_) return "ending: waiting for " + std::to_string(record_.running()) + " ranks";
    const auto missing = record_.missing_hosts();
    if (missing.empty()) return {};
    std::string names = fold_names(missing);
    if (names.size() > 60) names = names.substr(0, 57) + "...";
    return "starting: " + std::to_string(record_.hosts_up()) + " of " +
           std::to_string(plan_.hosts.size()) + " hosts up, waiting for " + names;
}

awaitable<void> Head::show_progress() {
    auto next = Clock::now() + progress_after;
    while (!done_) {
        co_await changed_.wait_until(std::min(next, notices_due_));
        const auto now = Clock::now();
        if (now >= notices_due_) flush_notices();
        if (now < next) continue;
        next = now + progress_every;
        console_.progress(progress_line());
    }
}

awaitable<void> Head::carry_input() {
    while (!done_) {
        if (input_credit_ == 0) {
            co_await input_changed_.wait();
            continue;
        }
        const size_t limit = std::min<uint64_t>(input_credit_, input_chunk);
        const std::string bytes = co_await input_->read(limit);
        if (done_) co_return;
        node_.give_input(bytes);
        if (bytes.empty()) co_return;
        input_credit_ -= bytes.size();
    }
}

awaitable<void> Head::run() {
    catch_signals();
    tasks_.spawn(reaper_.run());
    tasks_.spawn(watch_signals());
    tasks_.spawn(keep_time());
    tasks_.spawn(keep_timeout());
    tasks_.spawn(keep_start_limit());
    tasks_.spawn(show_progress());
    if (plan_.local) {
        nodes_up({1});
        node_.start(only_this_machine(plan_), false);
    } else {
        node_.start(whole_tree(plan_), false);
    }
    co_await wait_for_end();
    co_await finish();
}

}  // namespace

JobOutcome run_job(const Plan& plan, const TransportFactory& make_transport,
                   const ModexFactory& make_modex, const HeadOptions& options, const Guard& guard) {
    signal(SIGPIPE, SIG_IGN);
    asio::io_context io(1);
    Reaper reaper(io.get_executor());
    Head* head = nullptr;
    auto note = [&head](const std::string& host, const std::string& text) {
        if (head != nullptr) head->note_transport(host, text);
    };
    auto transport = make_transport(io.get_executor(), plan.spec.transport, reaper, note);
    if (!transport) return {transport.error(), std::nullopt, 0};
    Head the_head(io, plan, *transport, make_modex, options, guard, reaper);
    head = &the_head;
    run_to_end(io, the_head.run());
    return the_head.outcome();
}

}  // namespace launch
