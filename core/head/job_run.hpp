#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/head/console.hpp"
#include "core/head/head.hpp"
#include "core/head/input.hpp"
#include "core/head/job_record.hpp"
#include "core/head/notices.hpp"
#include "core/head/route_setup.hpp"
#include "core/head/signal_watch.hpp"
#include "core/head/signals.hpp"
#include "core/head/start_verdict.hpp"
#include "core/link/heartbeat.hpp"
#include "core/run/phase_counts.hpp"
#include "core/run/phase_times.hpp"
#include "core/tree/node.hpp"

namespace launch {

/// One run of a job, as the head sees it: it keeps the record, decides when and how the job ends,
/// and tells the user. What nodes report is in job_run_reports.cpp, what the user and the clock do
/// in job_run_watch.cpp, when ranks start, and where when hosts are missing, in job_run_start.cpp,
/// and how all go over to a routing tree in job_run_routes.cpp.
class JobRun : public JobUpstream {
  public:
    JobRun(any_io_executor executor, Plan plan, Transport& transport, const Factories& factories,
           const HeadOptions& options, const Guard& guard, Reaper& reaper);

    awaitable<void> run();
    const JobOutcome& outcome() const { return outcome_; }
    void note_transport(const std::string& host, const std::string& text) {
        if (job_.policies.verbose) console_.say(host + ": " + text);
    }

    void nodes_up(const std::vector<NodeIndex>& nodes) override {
        for (const NodeIndex node : nodes)
            record_.node_up(node);
        if (record_.all_known()) {
            times_.up = Clock::now();
            begin(record_.placed() ? JobPhase::run : JobPhase::place);
        }
        tell_up();
        changed_.notify();
    }
    void staged(const std::vector<NodeIndex>& nodes) override {
        for (const NodeIndex node : nodes)
            record_.node_staged(node);
        changed_.notify();
    }
    void contacts(const ContactsMessage&) override;
    void routed(const RoutedMessage& routed) override;
    void gained(const MovedMessage&) override {}         // nobody is above the head
    void stage_wanted(const WantedMessage&) override {}  // the head has the files
    void unready(const UnreadyMessage& unready) override { record_.node_unready(unready); }
    void failure(const FailureMessage& failure) override;
    void exits(const std::vector<RankExit>& exits) override;
    void notice(const NoticeMessage& notice) override;
    void fault(const FaultMessage& fault) override;
    void pass(FrameType type, std::string_view payload, const Report& report, bool fresh) override;
    awaitable<bool> pass_output(std::string payload, bool fresh) override;
    void modex(std::string) override {}  // the head is the root of the exchange
    void input_wanted(uint64_t bytes) override { input_.wanted(bytes); }
    void input_refused() override { input_.refused(); }
    awaitable<bool> output(std::string message) override;

  private:
    void end_job(milliseconds grace);
    void fail_job(Error error);
    void output_failed();
    awaitable<void> wait_for_end();
    awaitable<void> finish();
    bool settle_routes();
    void open_routes();
    void await_places();
    std::string name_of(NodeIndex node) const;
    std::string names_of(const std::vector<NodeIndex>& nodes) const;
    void note_routes(const std::string& text);
    void give_up_routes(const std::string& why);
    bool contacts_known() const;
    RoutesMessage routes() const;
    bool may_settle_start();
    void settle_start();
    void place_ranks();
    bool accept(const StartVerdict& verdict);
    bool must_end() const;
    bool must_end_for(const FailureMessage& failure) const;
    /// Ranks are not placed yet, and may be on other hosts than those that were lost or missing.
    bool may_begin_without() const { return !record_.placed() && plan_.may_miss(); }
    FailureMessage explained(FailureMessage failure) const;
    void tell_loss(const FailureMessage& failure);
    std::vector<FailureMessage> untold_failures() const;
    const FailureMessage* host_failure() const;
    bool ended_by_user() const;
    void report();
    void end_after(const ExitStatus& failed);
    void blame_interrupt();
    void begin(JobPhase phase) {
        if (job_.policies.stats && phase != phases_.phase()) phases_.begin(phase, node_.counts());
    }
    void close_stats();
    void tell_notices();
    /// A line of --verbose.
    void tell(const std::string& line) {
        if (job_.policies.verbose) console_.note(line);
    }
    void tell_plan();
    void tell_up();

    awaitable<void> watch_signals();
    void handle_signal(int number);
    void handle_late_signal(int number);
    awaitable<void> stop_here();
    awaitable<void> tell_interrupted();
    awaitable<void> give_up_late();
    awaitable<void> keep_time();
    awaitable<void> announce_start();
    awaitable<void> keep_timeout();
    awaitable<void> keep_start_limit();
    awaitable<void> show_progress();

    any_io_executor executor_;
    Plan plan_;
    const Factories& factories_;
    const Guard& guard_;
    JobMessage job_;
    JobRecord record_;
    Console console_;
    Reaper& reaper_;
    Node node_;
    NodeJob node_job_;
    InputCarrier input_;
    SignalWatch signals_;
    SignalPolicy signal_policy_;
    Heartbeat heart_;
    SignalAnswers answers_;
    Notices notices_;
    Event changed_;
    TaskGroup tasks_;
    JobOutcome outcome_;
    PhaseTimes times_;
    PhaseCounts phases_;
    /// What --verbose has told of the start.
    enum class StartTold : uint8_t { nothing, plan, up } start_told_ = StartTold::nothing;
    std::vector<NodeIndex> told_losses_;  ///< hosts that were lost while the job went on
    int user_signal_ = 0;                 ///< that came before anything else had to end the job
    bool start_settled_ = false;          ///< whether ranks start, and where: it is decided
    int interrupt_ = 0;                   ///< the user's, after which the first of the ranks failed
    Clock::time_point spared_until_ = Clock::time_point::max();  ///< ranks, after one that failed
    bool ending_ = false;
    bool done_ = false;
    bool leaving_ = false;
    std::optional<Clock::time_point> give_up_at_;
    RouteSetup routes_;
};

}  // namespace launch
