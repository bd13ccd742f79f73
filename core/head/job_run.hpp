// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/unix_time.hpp"
#include "core/head/console.hpp"
#include "core/head/debug_talk.hpp"
#include "core/head/fetch_run.hpp"
#include "core/head/hang_watch.hpp"
#include "core/head/head.hpp"
#include "core/head/host_starts.hpp"
#include "core/head/input.hpp"
#include "core/head/job_door.hpp"
#include "core/head/job_record.hpp"
#include "core/head/job_tree.hpp"
#include "core/head/notices.hpp"
#include "core/head/rank_output.hpp"
#include "core/head/raw_terminal.hpp"
#include "core/head/signals.hpp"
#include "core/head/spawned_jobs.hpp"
#include "core/head/start_verdict.hpp"
#include "core/head/timeline.hpp"
#include "core/head/user_side.hpp"
#include "core/link/patience.hpp"
#include "core/run/phase_counts.hpp"
#include "core/run/phase_times.hpp"
#include "core/run/survey_desk.hpp"

namespace launch {

/// One run of a job, as the head sees it: it keeps the record, decides when and how the job ends,
/// and informs the user. Reports of nodes are handled in job_run_reports.cpp, the user and the
/// clock in job_run_watch.cpp, the start and placement of ranks in job_run_start.cpp, and spawned
/// processes in job_run_spawn.cpp, questions about ranks in job_run_survey.cpp, debuggers of
/// parallel programs in job_run_tools.cpp, and a job that hangs in job_run_hang.cpp.
class JobRun : public TreeJob, public JobUpstream, private SpawnWatch {
  public:
    /// Ranks that are placed late are entered in the plan. `ground`: where processes that they ask
    /// for may run; it outlives this.
    JobRun(any_io_executor executor, Plan& plan, JobTree& tree, SpawnGround& ground, UserSide user,
           const Factories& factories, const HeadOptions& options, const Guard& guard,
           Reaper& reaper);

    awaitable<void> run();
    const JobOutcome& outcome() const { return outcome_; }
    void note_transport(const std::string& host, const std::string& text) {
        if (watch_ != nullptr) watch_->transport_noted(host, text);
        if (job_.policies.verbose) console_.say(host + ": " + text);
    }

    void hosts_up(const std::vector<NodeIndex>& nodes) override;
    void hosts_starting(const StartsMessage& starts) override { starts_.take(starts); }
    void hosts_failed(const FailureMessage& failure) override;
    void note(const std::string& text) override { console_.note(text); }
    void routes_changed() override { changed_.notify(); }
    void take(const JobReport& report) override;
    void take(const NodeStats& stats) override {
        if (outcome_.stats) outcome_.stats->nodes.push_back(stats);  // else nobody asked for them
    }
    bool uses(NodeIndex node) const override {
        return node < plan_.nodes() &&
               (!record_.placed() || !plan_.placement.node(node - 1).empty());
    }

    void placed_late() override {}  // the head says so itself
    void report(const JobReport& report) override { take(report); }
    void stage_wanted(const WantedMessage&) override {}  // the head has the files
    void failure(const FailureMessage& failure) override { tree_.failure(failure); }
    void notice(const NoticeMessage& notice) override;
    void modex(std::string) override {}  // the head is the root of the exchange
    void input_wanted(const InputGrant& grant) override;
    void input_refused() override { input_.refused(); }
    awaitable<bool> output(OutputMessage message) override;
    awaitable<bool> output(NodeIndex, OutputMessage message) override { return output(message); }
    awaitable<void> ended(NodeIndex) override { co_return; }  // JobTree::finish() waits for all

  private:
    void take(const FailureMessage& refusal) { hosts_failed(refusal); }
    void take(const UnreadyMessage& unready);
    void take(const SurveyMessage& answer) {
        surveys_.take(answer);
        changed_.notify();
    }
    void take(const CostsMessage& costs) {
        if (timeline_) timeline_->take(costs);
    }
    void take(const StagedMessage& staged);
    void take(const ExitsMessage& exits);
    void take(const FaultMessage& message) { fault(message, record_); }
    void take(const SpawnMessage& wanted) {
        if (wanted.order.kind == SpawnOrder::Kind::ranks)
            tasks_.spawn(tell_ranks(wanted.node, wanted.ticket));
        else
            spawned_.take(0, wanted);
    }
    void spawn_wanted(uint32_t space, const SpawnMessage& wanted) override {
        spawned_.take(space, wanted);
    }
    void spawn_refused(const std::string& rank, const std::string& what,
                       const std::string& why) override;
    void rank_failed(uint32_t space, const RankExit& exit) override {
        spawned_.tell_failed(space, exit.rank);
        end_after(exit.status);
    }
    void fault(const FaultMessage& fault, const JobRecord& record) override;
    void host_lost(const FailureMessage& failure) override;
    void notice_of(const std::string& host, const NoticeMessage& notice) override;
    std::unique_ptr<OutputSink> output_of(const Plan& plan) override {
        return std::make_unique<RankOutput>(executor_, plan, console_, held());
    }
    std::unique_ptr<OutputSink> own_output();
    HeldOutput* held() { return held_ ? &*held_ : nullptr; }
    void output_failed(const Error* file_error) override;
    void blame_output(const Error* file_error);
    void spawned_changed() override { changed_.notify(); }
    void order(FrameType type, uint64_t value) { tree_.order(type, value); }
    void signal_all(int number);
    uint32_t running() const { return record_.running() + spawned_.running(); }
    /// The job only ever goes on to a later one.
    enum class Stage : uint8_t {
        starts,    ///< whether ranks start, and where, is not decided yet
        runs,      ///< it is
        over,      ///< no process of the job is waited for any more; what they left is
        told_all,  ///< nothing is left but to return
    };
    /// Its end is decided, though stacks may be shown first.
    bool is_ending() const { return give_up_at_ || stacks_told_ == StacksTold::now; }
    bool is_over() const { return stage_ >= Stage::over; }
    void enter(Stage stage) {
        stage_ = std::max(stage_, stage);
        changed_.notify();
    }
    void end_job(milliseconds grace);
    void end_failed();
    awaitable<void> end_after_stacks();
    void fail_job(Error error);
    void take_terminal();
    awaitable<void> give_terminal_back();
    /// A rank has the user's terminal, and may still read from it.
    bool has_terminal_rank() const {
        return job_.policies.output.pty == PtyChoice::user &&
               !record_.has_ended(job_.policies.stdin_target.rank);
    }
    void leave_terminal();
    awaitable<void> leave_terminal_late();
    void tell_window();
    awaitable<void> wait_for_end();
    awaitable<void> fetch_files();
    void stop_fetching(int number);
    awaitable<void> finish();
    void tell_stuck(const std::vector<std::string>& hosts);
    awaitable<void> judge_output();
    bool may_settle_start();
    void settle_start();
    void place_ranks();
    void start_ranks();
    bool accept(const StartVerdict& verdict);
    bool must_end() const;
    bool must_end_for(const FailureMessage& failure) const;
    /// Ranks are not placed yet, and may be on other hosts than those that were lost or missing.
    bool may_begin_without() const { return !record_.placed() && plan_.may_miss(); }
    static constexpr const char* spawned_are_lost = "; ranks that were spawned there are lost";
    void tell_loss(const FailureMessage& failure);
    std::vector<FailureMessage> untold_failures() const;
    const FailureMessage* host_failure() const;
    bool ended_by_user() const;
    void tell_outcome();
    void end_after(const ExitStatus& failed);
    void blame_interrupt();
    void hosts_known();
    void begin(JobPhase phase) {
        if (job_.policies.stats && phase != phases_.phase()) phases_.begin(phase, tree_.counts());
    }
    void close_stats();
    void tell_notices();
    /// A line of --verbose.
    void tell(const std::string& line) {
        if (job_.policies.verbose) console_.note(line);
    }
    void tell_plan();
    void tell_up();
    void tell_run();
    milliseconds since_began() const {
        return std::chrono::duration_cast<milliseconds>(Clock::now() - times_.began);
    }
    std::string waited_for() const;
    std::string progress_now() const;
    void tell_long_start();
    void tell_status();

    awaitable<void> watch_signals();
    void handle_signal(int number);
    void act_on(SignalPolicy::Action action, int number);
    void handle_late_signal(int number);
    awaitable<void> stop_here();
    awaitable<void> tell_interrupted();
    awaitable<void> give_up_late();
    awaitable<void> keep_timeout();
    std::set<NodeIndex> nodes_to_survey(SurveyOrder::Subject subject) const;
    awaitable<SurveyDesk::Answer> survey(SurveyOrder order);
    void tell_silent(const std::vector<NodeIndex>& nodes, const std::string& what);
    awaitable<void> tell_cores();
    awaitable<void> tell_stacks(milliseconds limit);
    void say_stacks(const SurveyDesk::Answer& answer, milliseconds limit);
    awaitable<void> show_to_tools();
    awaitable<void> tell_ranks(NodeIndex node, uint64_t ticket);
    void progressed() {
        if (hang_) hang_->progress(Clock::now());
    }
    bool waits_for_others() const;
    awaitable<HangWatch::Sample> sample_ranks();
    awaitable<HangWatch::Step> look_for_hang();
    awaitable<void> end_hanging();
    awaitable<void> watch_for_hang();
    SessionState state_for_door() const;
    awaitable<SessionAnswer> answer_at_door(SessionRequest request);
    awaitable<void> kill_job();
    awaitable<void> show_progress();

    any_io_executor executor_;
    Plan& plan_;
    JobTree& tree_;
    const Factories& factories_;
    const Guard& guard_;
    HeadWatch* const watch_;
    JobRecord record_;
    HostStarts starts_;
    std::optional<TimelineRecord> timeline_;  ///< nothing: nobody asks for it
    Console console_;
    std::optional<HeldOutput> held_;  ///< nothing: what ranks write comes at once
    DebugTalk* debugs_ = nullptr;     ///< which is the output; null: ranks run as they are
    const std::unique_ptr<OutputSink> output_;
    RawTerminal terminal_;
    Reaper& reaper_;
    const JobMessage& job_;
    const std::unique_ptr<ByteSource> typed_;
    InputCarrier input_;
    const std::unique_ptr<SignalSource> signals_;
    SignalPolicy signal_policy_;
    SignalAnswers answers_;
    Notices notices_;
    Event changed_;
    SurveyDesk surveys_;
    uint64_t last_survey_;
    /// By launch itself. Whoever shows them ends the job then.
    enum class StacksTold : uint8_t { no, now, yes } stacks_told_;
    std::optional<HangWatch> hang_;  ///< nothing: --hang is not given
    bool told_unknown_hang_ = false;
    std::set<uint32_t> crashed_;      ///< ranks whose core files are taken, if there are any
    uint32_t outputs_under_way_ = 0;  ///< until the reader of the output takes them
    const pid_t process_;
    const uint64_t began_at_ = unix_seconds_now();
    JobDoor door_;
    SpawnedJobs spawned_;
    SpawnGround& ground_;
    const std::string log_;
    const bool shows_to_tools_;
    const std::vector<FetchSpec> fetches_;
    std::optional<FetchRun> fetch_;
    bool fetching_ = false;
    TaskGroup tasks_;
    JobOutcome outcome_;
    PhaseTimes times_;
    PhaseCounts phases_;
    /// The part of the start that --verbose has printed.
    enum class StartTold : uint8_t { nothing, plan, up } start_told_ = StartTold::nothing;
    std::vector<NodeIndex> told_losses_;  ///< hosts that were lost while the job went on
    std::optional<Error> spawned_loss_;   ///< of a host with spawned ranks, which the job survived
    struct Abort {
        Error error;
        ExitStatus status;
    };
    /// An abort that a rank asked for. It is reported when all ranks have ended, because it is the
    /// cause of the failure only if no rank crashed or was killed.
    std::optional<Abort> abort_;
    int user_signal_ = 0;  ///< that came before anything else had to end the job
    int interrupt_ = 0;    ///< the user's, after which the first of the ranks failed
    Clock::time_point spared_until_ = Clock::time_point::max();  ///< ranks, after one that failed
    bool input_wanted_ = false;     ///< a rank reads what the user types
    bool leaves_terminal_ = false;  ///< its rank has ended
    Stage stage_ = Stage::starts;
    /// When ranks that do not end are left behind; nothing: the job is not being ended.
    std::optional<Clock::time_point> give_up_at_;
};

}  // namespace launch
