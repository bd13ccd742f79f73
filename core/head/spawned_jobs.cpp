// SPDX-License-Identifier: MIT
#include "core/head/spawned_jobs.hpp"

#include <algorithm>
#include <iterator>

#include "core/head/job_message.hpp"
#include "core/head/report.hpp"
#include "core/hosts/hostlist.hpp"
#include "core/job/program_index.hpp"

namespace launch {
namespace {

/// Lines kept for spawned jobs that failed without ending the job.
constexpr size_t most_failure_lines = 100;
/// At once; each costs every host of the tree some memory.
constexpr size_t most_runs = 1024;
/// Ranks that wait for an event.
constexpr size_t most_news_readers = 10'000;

uint32_t ranks_of(const SpawnOrder& order) {
    uint64_t ranks = 0;
    for (const auto& program : order.programs)
        ranks += program.ranks;
    return static_cast<uint32_t>(std::min<uint64_t>(ranks, most_spawned_ranks));
}

}  // namespace

SpawnedJobs::SpawnedJobs(any_io_executor executor, Settings settings, JobTree& job,
                         SpawnWatch& watch)
    : executor_(executor),
      settings_(std::move(settings)),
      job_(job),
      watch_(watch),
      news_changed_(executor),
      tasks_(std::move(executor)) {
    settings_.ground.on_hosts = [this](bool joined, const std::vector<Host>& hosts) {
        std::vector<std::string> names;
        for (const Host& host : hosts)
            names.push_back(host.name);
        tell_hosts(joined, names);
    };
}

void SpawnedJobs::take(uint32_t space, const SpawnMessage& wanted) {
    using Kind = SpawnOrder::Kind;
    if (wanted.order.kind == Kind::event) return tasks_.spawn(serve_events(space, wanted));
    if (wanted.order.kind == Kind::ranks)  // spawned ranks are not surveyed
        return answer(space, {wanted.node, wanted.ticket, {}, 0, {}, "not_supported"});
    ++serving_;
    if (wanted.order.kind == Kind::spawn)
        tasks_.spawn(serve(space, wanted));
    else
        tasks_.spawn(serve_hosts(space, wanted));
}

awaitable<void> SpawnedJobs::join() {
    ending_ = true;
    news_changed_.notify();
    co_await tasks_.join();
}

void SpawnedJobs::tell(JobEvent event) {
    events_.tell(std::move(event));
    news_changed_.notify();
}

void SpawnedJobs::tell_hosts(bool joined, const std::vector<std::string>& names) {
    if (joined) joined_.insert(names.begin(), names.end());
    events_.tell_hosts(joined, names);
    news_changed_.notify();
}

void SpawnedJobs::tell_lost(const FailureMessage& failure) {
    std::set<std::string> own = joined_;
    for (const Host& host : settings_.plan.hosts)
        own.insert(host.name);
    std::vector<std::string> names;
    std::copy_if(failure.hosts.begin(), failure.hosts.end(), std::back_inserter(names),
                 [&own](const std::string& name) { return own.contains(name); });
    tell_hosts(false, names);
}

void SpawnedJobs::tell_failed(uint32_t space, uint32_t rank) {
    tell({JobEvent::Kind::process_failed, id_of(space), 1, rank});
}

std::string SpawnedJobs::id_of(uint32_t space) const {
    const std::string& job = settings_.plan.spec.job_id;
    return space == 0 ? job : job + '.' + std::to_string(space);
}

void SpawnedJobs::answer(uint32_t space, const SpawnedMessage& message) {
    if (space == 0) return job_.answer(message);
    for (SpawnedRun& run : runs_)
        if (run.plan().space == space) run.answer(message);
}

awaitable<void> SpawnedJobs::serve(uint32_t space, SpawnMessage wanted) {
    const std::string why = co_await start(space, wanted);
    if (!why.empty()) {
        SpawnedMessage refusal{wanted.node, wanted.ticket, {}, ranks_of(wanted.order), {}, why};
        for (uint32_t rank = 0; rank < refusal.ranks && refusal.ranks <= most_runs; ++rank)
            refusal.failed.push_back(rank);
        watch_.spawn_refused(rank_name(wanted.rank, space), "start more processes", why);
        answer(space, refusal);
    }
    --serving_;
    watch_.spawned_changed();
}

awaitable<void> SpawnedJobs::serve_hosts(uint32_t space, SpawnMessage wanted) {
    const std::string why = co_await change_hosts(wanted.order);
    const bool grows = wanted.order.kind == SpawnOrder::Kind::grow;
    if (!why.empty())
        watch_.spawn_refused(rank_name(wanted.rank, space), grows ? "add hosts" : "release hosts",
                             why);
    answer(space, {wanted.node, wanted.ticket, {}, 0, {}, why});
    --serving_;
    watch_.spawned_changed();
}

/// Why not; empty: it has been done.
awaitable<std::string> SpawnedJobs::change_hosts(const SpawnOrder& order) {
    if (ending_) co_return "the job is ending";
    auto hosts = parse_hosts(order.hosts, most_added_hosts);
    if (!hosts) co_return describe(hosts.error());
    auto merged = merge_hosts(*std::move(hosts));
    Status done = Ok{};
    if (order.kind == SpawnOrder::Kind::grow)
        done = co_await settings_.ground.grow(std::move(merged));
    else
        done = co_await settings_.ground.release(std::move(merged));
    co_return done ? std::string() : describe(done.error());
}

/// A rank that has exited meanwhile hears nothing, and nobody minds.
awaitable<void> SpawnedJobs::serve_events(uint32_t space, SpawnMessage wanted) {
    const SpawnOrder& order = wanted.order;
    SpawnedMessage told{wanted.node, wanted.ticket, {}, 0, {}, "no_event"};
    if (waiting_ >= most_news_readers) told.why = "too_many_wait";
    const auto deadline = order.wait_ms == SpawnOrder::until_it_comes
                              ? Clock::time_point::max()
                              : Clock::now() + milliseconds{order.wait_ms};
    auto event = events_.after(order.since);
    if (waiting_ < most_news_readers) {
        ++waiting_;
        while (!event && !ending_ && Clock::now() < deadline) {
            co_await news_changed_.wait_until(deadline);
            event = events_.after(order.since);
        }
        --waiting_;
    }
    if (event) {
        told.text = *event;
        told.why.clear();
    }
    answer(space, told);
}

/// Until they have ended. Why they do not start; empty: they did.
awaitable<std::string> SpawnedJobs::start(uint32_t space, const SpawnMessage& wanted) {
    if (ending_) co_return "the job is ending";
    if (serving_ > most_runs)
        co_return "the job already has " + std::to_string(most_runs) + " spawned jobs";
    auto spec = spawn_spec(settings_.plan.spec, wanted.order, given_env(space, wanted.rank));
    if (!spec) co_return describe(spec.error());
    // The job's user has done so before.
    spec->may_crowd = spec->may_crowd || settings_.plan.placement.oversubscribed();
    const uint32_t own = ++last_space_;
    spec->spec.job_id = id_of(own);
    auto place = co_await settings_.ground.place(*std::move(spec), own);
    if (!place) co_return describe(place.error());
    if (ending_) co_return "the job is ending";
    JobMessage message = message_of(place->plan, space, wanted);
    const auto at =
        runs_.emplace(runs_.end(), executor_, *std::move(place), std::move(message), watch_);
    SpawnedRun& run = *at;
    std::string refused;
    const SpawnedRun::Answer told = [&](const std::vector<uint32_t>& unable, std::string why) {
        refused = std::move(why);
        if (!refused.empty()) return;
        tell({JobEvent::Kind::processes_joined, run.job_id(), run.plan().placement.ranks(), {}});
        answer(
            space,
            {wanted.node, wanted.ticket, run.job_id(), run.plan().placement.ranks(), unable, {}});
    };
    co_await run.run(told);
    keep_what_failed(run);
    JobEvent over{JobEvent::Kind::processes_left, id_of(own), run.plan().placement.ranks(), {}};
    runs_.erase(at);
    if (refused.empty()) tell(std::move(over));  // whose slots are free now
    co_return refused;
}

/// Variables that the user set with -x for the parent's program apply to its spawned programs, too.
std::vector<std::string> SpawnedJobs::given_env(uint32_t asker, uint32_t rank) const {
    const JobSpec* spec = &settings_.plan.spec;
    for (const SpawnedRun& run : runs_)
        if (run.plan().space == asker) spec = &run.plan().spec;
    const size_t index = program_index(spec->programs, rank);
    if (index >= spec->programs.size()) return {};
    return spec->programs[index].env;
}

JobMessage SpawnedJobs::message_of(const Plan& plan, uint32_t asker,
                                   const SpawnMessage& wanted) const {
    JobMessage message = job_message(plan, settings_.log);
    message.origin = {plan.space, id_of(asker), wanted.rank, wanted.order.cards};
    return message;
}

void SpawnedJobs::keep_what_failed(const SpawnedRun& run) {
    for (const auto& lines :
         {stuck_rank_lines(run.record()), rank_failure_lines(run.record(), run.plan().spec)})
        for (const auto& line : lines)
            if (failure_lines_.size() < most_failure_lines) failure_lines_.push_back(line);
    stuck_.insert(stuck_.end(), run.stuck().begin(), run.stuck().end());
}

void SpawnedJobs::signal(const SignalMessage& order) {
    for (SpawnedRun& run : runs_)
        run.signal(order);
}

void SpawnedJobs::aborted(const JobRecord& record, uint32_t rank) {
    for (SpawnedRun& run : runs_)
        run.aborted(&run.record() == &record ? std::optional(rank) : std::nullopt);
}

void SpawnedJobs::end(milliseconds grace) {
    ending_ = true;
    settings_.ground.end();
    news_changed_.notify();
    for (SpawnedRun& run : runs_)
        run.end(grace);
}

bool SpawnedJobs::has_ranks_on(const std::vector<std::string>& hosts) const {
    return std::any_of(runs_.begin(), runs_.end(), [&hosts](const SpawnedRun& run) {
        const Plan& plan = run.plan();
        for (size_t i = 0; i < plan.hosts.size(); ++i)
            if (run.uses(static_cast<NodeIndex>(i + 1)) &&
                std::find(hosts.begin(), hosts.end(), plan.hosts[i].name) != hosts.end())
                return true;
        return false;
    });
}

uint32_t SpawnedJobs::running() const {
    uint32_t ranks = 0;
    for (const SpawnedRun& run : runs_)
        ranks += run.record().running();
    return ranks;
}

}  // namespace launch
