// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/job/rank_env.hpp"
#include "core/modex_server.hpp"
#include "core/process/host_cpus.hpp"
#include "core/process/stack_record.hpp"
#include "core/run/local_cores.hpp"
#include "core/run/local_output.hpp"
#include "core/run/node_share.hpp"
#include "core/run/rank.hpp"
#include "core/run/rank_places.hpp"
#include "core/run/rank_starts.hpp"
#include "core/wire/survey.hpp"

namespace launch {

/// The ranks of one node: starts them, hands on signals and input, reports their ends upstream,
/// and sees to it that nothing of them stays.
class LocalRanks {
  public:
    LocalRanks(any_io_executor executor, const JobMessage& job, NodeShare& share, Reaper& reaper,
               JobUpstream& upstream, InputMerge& input, ModexServer& modex,
               const RankFactory& make_rank);
    ~LocalRanks();
    LocalRanks(const LocalRanks&) = delete;
    LocalRanks& operator=(const LocalRanks&) = delete;
    /// Is called when the last rank that has run here has ended, before that is reported.
    void when_over(std::function<void()> tell) { tell_over_ = std::move(tell); }

    struct Where {
        NodeIndex node = 0;  ///< the tree's index
        HostRank host_rank{};
        std::string host;
        bool remote = false;  ///< the relay's own login environment is to be mixed in
        /// Standard input is that of this process, and no terminal.
        bool has_input = false;
        std::string interface;  ///< that ranks use; empty: none
    };
    /// Sees to it that what they are to be offered is there. After `stop` that is not waited for.
    awaitable<void> prepare(Where where, std::vector<RankRun> runs, std::stop_token stop);
    /// Has the ranks started, by a thread. Call after prepare() has returned.
    void start(const std::vector<RankRun>& runs);

    /// Before start(): where on the machine each rank here is.
    void put(RankPlaces places) { places_ = std::move(places); }
    /// The CPUs that they are bound to, which are given back when all have ended.
    void hold(HostCpus::Claim cpus) { claim_ = std::move(cpus); }
    /// Before start(), if at all: the files of the job's programs, where they are known; else they
    /// are searched for when a rank starts.
    void found(std::vector<std::string> files) { files_ = std::move(files); }
    /// Before start(): what is run instead of the job's programs, one for each.
    void run_instead(std::vector<Program> programs) { programs_ = std::move(programs); }
    /// Instead of start(): the job ended before, by a signal, or they cannot start.
    void never_start(const std::vector<RankRun>& runs, const NotStarted& why);

    void signal(int number);
    /// Sends the signal to those of the ranks that run here.
    void signal(int number, const std::vector<RankRun>& ranks);
    /// The states of those of the ranks that run now; of all where none are named. Reads /proc.
    std::vector<RankState> survey(const std::vector<RankRun>& ranks) const;
    /// Their processes, with those below. Reads /proc.
    std::vector<RankProcessId> processes(const std::vector<RankRun>& ranks) const;
    /// The places where ranks here died of which a core file may be made; see Policies::core_dir.
    const StackGroups& cores() const { return cores_.stacks(); }
    /// To every rank here that reads the head's standard input; empty: end of file.
    void give_input(std::string_view bytes);
    /// The user's terminal has another size.
    void resize(WindowSize size);
    /// SIGTERM now, SIGKILL after `grace`.
    awaitable<void> terminate(milliseconds grace);
    /// Waits until every rank has ended.
    awaitable<void> finish();
    /// A rank was given up: nothing ends its processes.
    bool has_stuck() const { return stuck_; }
    bool all_ended() const { return running_ == 0; }
    bool none_started() const { return !has_run_; }
    /// Most programs end by this signal, and a rank that has not begun to start ends by it, too.
    static bool ends_ranks(int signal);

  private:
    awaitable<std::string> fallback_folder(std::stop_token stop) const;
    RankIdentity identity_of(const Where& where, const std::vector<RankRun>& runs) const;
    std::vector<uint32_t> first_of_programs(const std::vector<RankRun>& runs) const;
    void fit_to_host();
    SpawnRequest request_for(const RankIdentity& identity) const;
    Rank::Settings settings_for(const RankIdentity& identity);
    void begin_under(SpawnRequest& request, uint32_t rank) const;
    void begin_start(const RankIdentity& identity);
    awaitable<void> make_starts();
    void take_starts();
    void started(Rank& rank);
    void not_started(Rank& rank, const NotStarted& why);
    bool withdraw(Rank& rank, int signal);
    void give_up_start(Rank& rank);
    void has_ended(RankExit exit);
    void give_signal(Rank& rank, int number);
    NotStarted lacks_service(uint32_t rank, const Error& why);
    awaitable<void> run_rank(Rank& rank);
    awaitable<void> take_core(const Rank& rank, const ExitStatus& status);
    awaitable<void> wait_for_ends(milliseconds limit);
    void report(RankExit exit);
    awaitable<void> report_ends();
    void notice(const std::string& text);
    void wants_terminal(uint32_t rank, int signal);
    awaitable<void> tell_who_wants_terminal();
    const Program& program_of(uint32_t rank) const;
    InputSource input_source(uint32_t rank) const;

    any_io_executor executor_;
    const JobMessage& job_;
    NodeShare& share_;
    Reaper& reaper_;
    const RankFactory& make_rank_;
    JobUpstream& upstream_;
    LocalOutput output_;
    InputMerge& input_;
    ModexServer& modex_;
    std::vector<Program> programs_;   ///< empty: those of the job
    std::vector<std::string> files_;  ///< of the job's programs
    Where where_;
    std::function<void()> tell_over_;
    RankIdentity first_;            ///< the identity of the first rank here
    std::vector<std::string> env_;  ///< of all ranks here
    bool preparing_ = false;
    std::optional<Error> no_service_;  ///< that a program here needs: no rank starts
    std::vector<SoftLimit> limits_;    ///< of ranks, where this process has others
    std::string fallback_wdir_;
    RankPlaces places_;
    std::optional<HostCpus::Claim> claim_;
    std::vector<std::unique_ptr<Rank>> ranks_;
    std::shared_ptr<RankStarts> starts_;
    std::deque<Rank*> starting_;  ///< in the order of their starts
    std::stop_source starts_given_up_;
    std::vector<RankExit> unreported_;
    std::vector<RankCost> unreported_costs_;
    Clock::time_point began_ = Clock::now();             ///< when this node learned of the job
    std::vector<std::pair<int, uint32_t>> at_terminal_;  ///< by which signal; not told of yet
    size_t running_ = 0;                                 ///< with those that are being started
    bool has_run_ = false;                               ///< any of them
    bool fallback_noticed_ = false;
    /// The last step towards their end that ranks have been sent.
    enum class Told : uint8_t {
        nothing,
        of_a_wish,  ///< the user's, to answer as they like (^C)
        to_end,     ///< by a signal that SIGKILL follows
    };
    Told told_ = Told::nothing;
    bool stuck_ = false;  ///< a rank was given up
    LocalCores cores_;
    Event changed_;
    TaskGroup tasks_;
};

}  // namespace launch
