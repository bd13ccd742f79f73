// SPDX-License-Identifier: MIT
#include "core/run/local_ranks.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <set>
#include <unistd.h>

#include "core/base/environment.hpp"
#include "core/debug/debug_words.hpp"
#include "core/job/fold_ranks.hpp"
#include "core/job/program_index.hpp"
#include "core/job/rank_list.hpp"
#include "core/job/rendezvous_env.hpp"
#include "core/link/patience.hpp"
#include "core/process/descendants.hpp"
#include "core/process/held_program.hpp"

namespace launch {
namespace {

constexpr milliseconds terminal_settles{100};
/// So long the end of a rank is not reported alone while others are being started: what ranks do at
/// once, all do.
constexpr milliseconds starts_settle{100};

std::string waits_for_terminal(const std::vector<uint32_t>& ranks, int signal) {
    const bool one = ranks.size() == 1;
    const bool reads = signal == SIGTTIN;
    return fold_ranks(ranks) + (one ? " is" : " are") + " stopped (" +
           (reads ? "SIGTTIN" : "SIGTTOU") + "), because ranks cannot " +
           (reads ? "read from" : "set") +
           " the terminal: run the program without launch, let it read standard input "
           "(--stdin RANK), or start it without a terminal (setsid -w PROGRAM)";
}

std::string limit_text(uint64_t value) {
    return value == unlimited ? "unlimited" : std::to_string(value);
}

/// As large as the host allows.
void allow_cores(std::vector<SoftLimit>& limits, const HostLimits& host) {
    std::erase_if(limits,
                  [](const SoftLimit& limit) { return limit.resource == Resource::core_file; });
    const uint64_t hard = host[static_cast<size_t>(Resource::core_file)].hard;
    limits.push_back({Resource::core_file, hard});
}

std::string cut_text(const SoftLimit& limit, const HostLimits& host) {
    const auto resource = static_cast<size_t>(limit.resource);
    return "the limit " + std::string(resource_names.at(resource)) + " of the job, " +
           limit_text(limit.value) + ", is above the hard limit there; ranks get " +
           limit_text(host.at(resource).hard);
}

}  // namespace

LocalRanks::LocalRanks(any_io_executor executor, const JobMessage& job, NodeShare& share,
                       Reaper& reaper, JobUpstream& upstream, InputMerge& input, ModexServer& modex,
                       const RankFactory& make_rank)
    : executor_(executor),
      job_(job),
      share_(share),
      reaper_(reaper),
      make_rank_(make_rank),
      upstream_(upstream),
      output_(executor, job, upstream, modex),
      input_(input),
      modex_(modex),
      cores_(executor),
      changed_(executor),
      tasks_(executor) {}

LocalRanks::~LocalRanks() {
    if (starts_) starts_->close();
}

RankIdentity LocalRanks::identity_of(const Where& where, const std::vector<RankRun>& runs) const {
    RankIdentity id;
    id.size = job_.ranks;
    id.local_size = local_size(runs);
    id.host_rank = where.host_rank;
    id.nodes = job_.nodes;
    id.host = where.host;
    id.hosts = job_.hosts;
    id.job_id = job_.job_id;
    return id;
}

/// Where ranks start on a host that lacks the job's folder; empty: nowhere.
awaitable<std::string> LocalRanks::fallback_folder(std::stop_token stop) const {
    if (!where_.remote || !job_.may_leave_wdir) co_return std::string();
    const auto home = std::make_shared<const std::string>(env_value(env_, "HOME"));
    const auto there = std::make_shared<std::atomic<bool>>(false);
    std::function<void()> look = [home, there] { *there = access(home->c_str(), X_OK) == 0; };
    co_await share_.threads().run(std::move(look), job_.policies.start_timeout, std::move(stop));
    co_return *there && !home->empty() ? *home : "/";
}

awaitable<void> LocalRanks::prepare(Where where, std::vector<RankRun> runs, std::stop_token stop) {
    preparing_ = true;
    where_ = std::move(where);
    env_ = where_.remote ? merge_host_env(job_.env, own_environment()) : job_.env;
    fallback_wdir_ = co_await fallback_folder(stop);
    first_ = identity_of(where_, runs);
    fit_to_host();
    for (const uint32_t rank : first_of_programs(runs)) {
        RankIdentity id = first_;
        id.rank = rank;
        SpawnRequest request = request_for(id);
        Status ready = co_await modex_.prepare(rank, std::move(request), share_.threads(), stop);
        if (!ready && !no_service_) no_service_ = std::move(ready.error());
    }
    preparing_ = false;
    changed_.notify();
}

/// The first rank here of each program.
std::vector<uint32_t> LocalRanks::first_of_programs(const std::vector<RankRun>& runs) const {
    std::vector<uint32_t> ranks;
    std::set<size_t> seen;
    for_each_rank(runs, [&](uint32_t rank) {
        if (seen.insert(program_index(job_.programs, rank)).second) ranks.push_back(rank);
    });
    return ranks;
}

void LocalRanks::start(const std::vector<RankRun>& runs) {
    if (no_service_) return never_start(runs, lacks_service(first_.rank, *no_service_));
    starts_ = std::make_shared<RankStarts>(executor_, [this] { take_starts(); });
    RankIdentity id = first_;
    for_each_rank(runs, [&](uint32_t rank) {
        id.rank = rank;
        begin_start(id);
        ++id.local_rank;
    });
    if (!starting_.empty()) tasks_.spawn(make_starts());
}

/// Fits the limits of the user's shell to what this host allows. A limit that the host does not
/// allow is no reason not to run.
void LocalRanks::fit_to_host() {
    const HostLimits& host = share_.limits_before();
    auto fitted = fit_limits(job_.limits.soft, host);
    const bool files = std::any_of(fitted.soft.begin(), fitted.soft.end(), [](const auto& limit) {
        return limit.resource == Resource::open_files;
    });
    if (!job_.policies.core_dir.empty()) allow_cores(fitted.soft, host);
    constexpr auto open_files = static_cast<size_t>(Resource::open_files);
    if (!files) fitted.soft.push_back({Resource::open_files, host[open_files].soft});
    limits_ = other_than(share_.limits(), std::move(fitted.soft));
    for (const SoftLimit& limit : fitted.cut)
        upstream_.notice({where_.node, true, cut_text(limit, host)});
}

const Program& LocalRanks::program_of(uint32_t rank) const {
    const auto& programs = programs_.empty() ? job_.programs : programs_;
    const size_t index = program_index(programs, rank);
    return index < programs.size() ? programs[index] : programs.back();
}

void LocalRanks::never_start(const std::vector<RankRun>& runs, const NotStarted& why) {
    claim_.reset();
    for_each_rank(runs, [&](uint32_t rank) { report({rank, why.status, why.detail}); });
}

InputSource LocalRanks::input_source(uint32_t rank) const {
    const StdinTarget& target = job_.policies.stdin_target;
    if (target.kind == StdinTarget::Kind::all) return InputSource::eager;
    if (target.kind == StdinTarget::Kind::none || target.rank != rank) return InputSource::none;
    if (job_.policies.output.pty == PtyChoice::user) return InputSource::eager;
    // The head's own child reads the user's file or pipe itself: nothing is read ahead. A
    // terminal it may not read from a process group in the background.
    return where_.has_input ? InputSource::inherited : InputSource::on_demand;
}

SpawnRequest LocalRanks::request_for(const RankIdentity& id) const {
    const Program& program = program_of(id.rank);
    SpawnRequest request;
    request.argv = program.argv;
    const size_t index = program_index(job_.programs, id.rank);
    if (programs_.empty() && index < files_.size()) request.found = files_[index];
    request.parent_may_trace = true;  // which reads stacks
    request.limits = limits_;
    request.umask = job_.limits.umask;
    request.env = env_;
    for (const auto& entry : program.env) {
        const size_t equals = entry.find('=');
        set_env(request.env, entry.substr(0, equals), entry.substr(equals + 1));
    }
    add_identity(request.env, id);
    add_rendezvous(request.env, job_.policies.rendezvous, id, job_.rendezvous_port);
    if (!where_.interface.empty()) add_interface(request.env, where_.interface);
    if (id.local_rank < places_.bound.size()) request.cpus = places_.bound[id.local_rank].cpus;
    if (id.local_rank < places_.env.size())
        for (const auto& entry : places_.env[id.local_rank]) {
            const size_t equals = entry.find('=');
            set_env(request.env, entry.substr(0, equals), entry.substr(equals + 1));
        }
    request.wdir = program.wdir.empty() ? job_.wdir : program.wdir;
    // A folder that was asked for must be there.
    if (program.wdir.empty()) request.wdir_fallback = fallback_wdir_;
    if (!request.wdir.empty()) set_env(request.env, "PWD", request.wdir);
    return request;
}

Rank::Settings LocalRanks::settings_for(const RankIdentity& id) {
    const OutputChoice& choice = job_.policies.output;
    const size_t program = program_index(job_.programs, id.rank);
    Rank::Settings settings;
    settings.rank = id.rank;
    settings.out = output_.channel(id, program, Stream::out);
    settings.err = output_.channel(id, program, Stream::err);
    settings.whole_lines = job_.ranks > 1 || job_.origin.is_spawned();
    settings.input = input_source(id.rank);
    settings.kill_grace = job_.policies.kill_grace;
    settings.wants_terminal = [this, rank = id.rank](int signal) { wants_terminal(rank, signal); };
    const bool has_users =
        choice.pty == PtyChoice::user && job_.policies.stdin_target.rank == id.rank;
    if (choice.pty != PtyChoice::each && !has_users) return settings;
    settings.terminal = choice.window;
    // Output that moves a cursor is not cut into lines, and lines do not tell ranks apart.
    settings.whole_lines = false;
    settings.out.label = {};
    return settings;
}

/// The fault ends the job, and says why and what to do.
NotStarted LocalRanks::lacks_service(uint32_t rank, const Error& why) {
    const std::string text = why.operation.empty() ? why.cause : why.operation + ": " + why.cause;
    upstream_.report(FaultMessage{rank, FaultMessage::Kind::no_service, 0, text, why.hint});
    return {{ExitStatus::Kind::not_started, 0, ExitStatus::Stage::none}, text};
}

/// The program is run by this executable in another role, where the job wants that.
void LocalRanks::begin_under(SpawnRequest& request, uint32_t rank) const {
    const std::string& debugger = job_.policies.debugger;
    if (debugger.empty() && job_.policies.hold != Hold::at_exec) return;
    request.found.clear();
    request.argv = debugger.empty() ? held_command(request.argv)
                                    : debugged_command(debugger, rank, request.argv);
}

void LocalRanks::begin_start(const RankIdentity& id) {
    SpawnRequest request = request_for(id);
    const Status offered = modex_.offer(id.rank, request);
    if (!offered) {
        const NotStarted why = lacks_service(id.rank, offered.error());
        modex_.not_started(id.rank);
        report({id.rank, why.status, why.detail});
        return;
    }
    begin_under(request, id.rank);
    auto settings = settings_for(id);
    auto rank = make_rank_({executor_, reaper_, output_, input_}, std::move(settings));
    // Before any of them asks for input: what comes is for all.
    if (rank->takes_input()) input_.add_rank(id.rank);
    request.keep_open = share_.users_descriptors();
    starts_->add(rank->begin_start(std::move(request)));
    starting_.push_back(rank.get());
    ++running_;
    ranks_.push_back(std::move(rank));
}

awaitable<void> LocalRanks::make_starts() {
    const auto expected = reaper_.expect();
    DetachedPool& threads = share_.threads();
    std::function<void()> work = [starts = starts_] { starts->make(); };
    const bool made = co_await threads.run_starts(std::move(work), starts_given_up_.get_token());
    take_starts();
    const auto refused = made ? std::nullopt : threads.no_thread();
    if (!refused) co_return;
    const NotStarted why{{ExitStatus::Kind::not_started, EAGAIN, ExitStatus::Stage::fork},
                         refused->cause};
    while (!starting_.empty()) {
        Rank& rank = *starting_.front();
        starting_.pop_front();
        not_started(rank, why);
    }
}

void LocalRanks::take_starts() {
    if (!starts_) return;
    for (const auto& start : starts_->take()) {
        const auto at = std::find_if(starting_.begin(), starting_.end(), [&](const auto* rank) {
            return rank->pending_start() == start.get();
        });
        if (at == starting_.end()) continue;
        Rank& rank = **at;
        starting_.erase(at);
        started(rank);
    }
    if (starting_.empty()) changed_.notify();
}

void LocalRanks::started(Rank& rank) {
    bool used_fallback = false;
    const auto failure = rank.started(used_fallback);
    if (failure) return not_started(rank, *failure);
    modex_.started(rank.rank());
    if (used_fallback && !std::exchange(fallback_noticed_, true))
        notice("there is no folder " + job_.wdir + "; ranks start in " + fallback_wdir_);
    has_run_ = true;
    tasks_.spawn(run_rank(rank));
}

void LocalRanks::not_started(Rank& rank, const NotStarted& why) {
    rank.never_started();
    modex_.not_started(rank.rank());
    has_ended({rank.rank(), why.status, why.detail});
}

/// False: its start has begun.
bool LocalRanks::withdraw(Rank& rank, int signal) {
    if (rank.pending_start() == nullptr || !starts_->withdraw(*rank.pending_start())) return false;
    std::erase(starting_, &rank);
    if (starting_.empty()) starts_given_up_.request_stop();  // no thread need come for the others
    not_started(rank, {{ExitStatus::Kind::signalled, signal}, {}});
    return true;
}

/// SIGKILL has not ended the process that is being started. If its thread goes on some time, the
/// thread kills what it has started.
void LocalRanks::give_up_start(Rank& rank) {
    const pid_t pid = rank.pending_start()->pid();
    NotStarted why{{ExitStatus::Kind::signalled, SIGKILL}, {}};
    if (pid > 0) {
        why = {{ExitStatus::Kind::stuck, pid}, why_not_ended(pid)};
        stuck_ = has_run_ = true;
    }
    std::erase(starting_, &rank);
    starts_->close();
    starts_given_up_.request_stop();
    not_started(rank, why);
}

awaitable<void> LocalRanks::run_rank(Rank& rank) {
    const ExitStatus status = co_await rank.run();
    co_await output_.drain();
    std::string detail;
    if (status.kind == ExitStatus::Kind::stuck) {
        stuck_ = true;
        detail = why_not_ended(status.value);
    }
    co_await take_core(rank, status);
    // Where the job is being ended that is no news.
    if (rank.left_processes() && told_ == Told::nothing)
        notice("rank " + std::to_string(rank.rank()) +
               " left processes that kept its output open; launch ended them");
    const auto fault = modex_.exited(rank.rank(), status);
    if (fault) upstream_.report(*fault);
    if (job_.policies.costs) unreported_costs_.push_back(rank.cost(began_));
    has_ended({rank.rank(), status, std::move(detail)});
}

void LocalRanks::has_ended(RankExit exit) {
    if (--running_ == 0) claim_.reset();  // before anybody hears that they have ended
    report(std::move(exit));
    if (running_ == 0 && has_run_ && tell_over_) tell_over_();
    changed_.notify();
}

void LocalRanks::report(RankExit exit) {
    unreported_.push_back(std::move(exit));
    if (unreported_.size() == 1) tasks_.spawn(report_ends());
}

/// Ranks that end together are reported together.
awaitable<void> LocalRanks::report_ends() {
    co_await asio::post(executor_, asio::use_awaitable);
    const auto due = Clock::now() + starts_settle;
    while (!starting_.empty() && Clock::now() < due)
        co_await changed_.wait_until(due);
    if (!unreported_costs_.empty())
        upstream_.report(CostsMessage{std::exchange(unreported_costs_, {})});
    upstream_.report(ExitsMessage{std::exchange(unreported_, {})});
}

void LocalRanks::notice(const std::string& text) {
    upstream_.notice({where_.node, false, text});
}

void LocalRanks::wants_terminal(uint32_t rank, int signal) {
    if (told_ != Told::nothing) return;
    at_terminal_.emplace_back(signal, rank);
    if (at_terminal_.size() == 1) tasks_.spawn(tell_who_wants_terminal());
}

/// Ranks that want the terminal are reported together.
awaitable<void> LocalRanks::tell_who_wants_terminal() {
    const auto due = Clock::now() + terminal_settles;
    while (running_ > 0 && Clock::now() < due)
        co_await changed_.wait_until(due);
    const auto waiting = std::exchange(at_terminal_, {});
    for (const int signal : {SIGTTIN, SIGTTOU}) {
        std::vector<uint32_t> ranks;
        for (const auto& [by, rank] : waiting)
            if (by == signal) ranks.push_back(rank);
        if (!ranks.empty()) notice(waits_for_terminal(ranks, signal));
    }
}

void LocalRanks::signal(int number) {
    if (number == SIGINT || number == SIGQUIT) told_ = std::max(told_, Told::of_a_wish);
    if (number == SIGTERM || number == SIGHUP) told_ = Told::to_end;
    take_starts();
    for (const auto& rank : ranks_)
        give_signal(*rank, number);
}

bool LocalRanks::ends_ranks(int signal) {
    return signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT ||
           signal == SIGKILL;
}

void LocalRanks::give_signal(Rank& rank, int number) {
    const bool waits = ends_ranks(number) && withdraw(rank, number);
    if (!waits && !rank.ended()) rank.signal(number);
}

/// Signals only these ranks. The others still get their signal when the job ends.
void LocalRanks::signal(int number, const std::vector<RankRun>& ranks) {
    take_starts();
    for (const auto& rank : ranks_)
        if (has_rank(ranks, rank->rank())) give_signal(*rank, number);
}

void LocalRanks::give_input(std::string_view bytes) {
    for (const auto& rank : ranks_)
        rank->give_input(std::string(bytes));
}

void LocalRanks::resize(WindowSize size) {
    for (const auto& rank : ranks_)
        rank->resize(size);
}

awaitable<void> LocalRanks::terminate(milliseconds grace) {
    // Once is enough: to many programs a second one means "at once".
    if (told_ != Told::to_end) signal(SIGTERM);
    // A job whose usual grace is 0 has not been killed by its user.
    const bool killed = grace == milliseconds{0} && job_.policies.kill_grace > grace;
    if (killed) cores_.stop();
    signal(SIGCONT);  // a stopped process would not see it
    co_await wait_for_ends(grace);
    if (running_ == 0) co_return;
    take_starts();
    for (const auto& rank : ranks_) {
        if (!withdraw(*rank, SIGKILL) && !rank->ended()) rank->kill_all();
    }
    co_await wait_for_ends(patience::killed_output);
    for (const auto& rank : ranks_) {
        if (!rank->ended()) rank->abandon_streams();
    }
    co_await wait_for_ends(patience::killed);
    take_starts();
    for (const auto& rank : ranks_) {
        if (rank->pending_start() != nullptr)
            give_up_start(*rank);
        else if (!rank->ended())
            rank->give_up();
    }
}

awaitable<void> LocalRanks::wait_for_ends(milliseconds limit) {
    const auto deadline = Clock::now() + limit;
    while (running_ > 0 && Clock::now() < deadline)
        co_await changed_.wait_until(deadline);
}

awaitable<void> LocalRanks::finish() {
    while (running_ > 0 || preparing_)
        co_await changed_.wait();
    co_await tasks_.join();
    co_await output_.drain();
}

}  // namespace launch
