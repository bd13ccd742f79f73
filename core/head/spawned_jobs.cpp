#include "core/head/spawned_jobs.hpp"

#include <algorithm>

#include "core/head/job_message.hpp"
#include "core/head/report.hpp"

namespace launch {
namespace {

/// Of failures that nobody ended the job for.
constexpr size_t most_failure_lines = 100;
/// At once; each costs every host of the tree some memory.
constexpr size_t most_runs = 1024;

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
      tasks_(std::move(executor)) {}

void SpawnedJobs::take(uint32_t space, const SpawnMessage& wanted) {
    ++serving_;
    tasks_.spawn(serve(space, wanted));
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
        watch_.spawn_refused(rank_name(wanted.rank, space), why);
        answer(space, refusal);
    }
    --serving_;
    watch_.spawned_changed();
}

/// Until they have ended. Why they do not start; empty: they did.
awaitable<std::string> SpawnedJobs::start(uint32_t space, const SpawnMessage& wanted) {
    if (ending_) co_return "the job is being ended";
    if (serving_ > most_runs)
        co_return "there are " + std::to_string(most_runs) + " spawned jobs already";
    auto spec = spawn_spec(settings_.plan.spec, wanted.order);
    if (!spec) co_return describe(spec.error());
    const uint32_t own = ++last_space_;
    spec->spec.job_id = id_of(own);
    auto place = co_await settings_.ground.place(*std::move(spec), own);
    if (!place) co_return describe(place.error());
    if (ending_) co_return "the job is being ended";
    JobMessage message = message_of(place->plan, space, wanted);
    const auto at =
        runs_.emplace(runs_.end(), executor_, *std::move(place), std::move(message), watch_);
    SpawnedRun& run = *at;
    std::string refused;
    const SpawnedRun::Answer told = [&](const std::vector<uint32_t>& unable, std::string why) {
        refused = std::move(why);
        if (refused.empty())
            answer(space, {wanted.node,
                           wanted.ticket,
                           run.job_id(),
                           run.plan().placement.ranks(),
                           unable,
                           {}});
    };
    co_await run.run(told);
    keep_what_failed(run);
    runs_.erase(at);
    co_return refused;
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

void SpawnedJobs::order(FrameType type, uint64_t value) {
    for (SpawnedRun& run : runs_)
        run.order(type, value);
}

void SpawnedJobs::end(milliseconds grace) {
    ending_ = true;
    settings_.ground.end();
    for (SpawnedRun& run : runs_)
        run.end(grace);
}

uint32_t SpawnedJobs::running() const {
    uint32_t ranks = 0;
    for (const SpawnedRun& run : runs_)
        ranks += run.record().running();
    return ranks;
}

}  // namespace launch
