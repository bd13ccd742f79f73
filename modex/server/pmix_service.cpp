#include "modex/server/pmix_service.hpp"

#include <algorithm>

#include "core/base/seconds.hpp"
#include "core/job/node_map.hpp"
#include "core/process/cpus.hpp"
#include "modex/front/printable.hpp"

namespace launch {
namespace {

/// Tickets from here on are not LocalService's.
constexpr uint64_t first_ticket = uint64_t{1} << 63;
/// PMIx's names and PMI's are apart.
constexpr const char* name_prefix = "pmix:";
/// Of one rank, at a time: the root keeps them.
constexpr uint32_t most_awaited = 10'000;
/// An event goes to every node of the job.
constexpr size_t most_event_bytes = 1u << 20;

/// Usually milliseconds. libpmix 4.2 ends a thread of its own that may hold a lock, for which its
/// own end then waits for good (pmix_rte_finalize; seen after events): it is left behind then, as
/// this process ends next.
constexpr milliseconds end_patience{2000};

Error no_start(milliseconds patience) {
    return {.kind = ErrorKind::internal,
            .operation = "offer PMIx",
            .cause = "libpmix does not start within " + in_seconds(patience),
            .hint = "is it on a file server that is down? use another --pmi"};
}

Error no_answer(const char* why) {
    Error error;
    error.kind = ErrorKind::protocol;
    error.cause = why;
    return error;
}

Error misused(std::string why) {
    Error error;
    error.kind = ErrorKind::usage;
    error.cause = std::move(why);
    return error;
}

}  // namespace

PmixService::PmixService(any_io_executor executor, const JobMessage& job, ModexHost& host,
                         LocalService& local)
    : executor_(std::move(executor)),
      job_(job),
      host_(host),
      local_(local),
      thread_(executor_, 1),
      tracing_(traces_pmi(job)),
      next_ticket_(first_ticket) {
    local_.on_blob_fence = [this](std::string blob) { fence_done(std::move(blob)); };
    local_.on_group_fence = [this](const Group& group, const std::string& blob) {
        group_done(group, blob);
    };
    local_.on_blob_wanted = [this](uint32_t rank) { blob_wanted(rank); };
    local_.on_event = [this](const std::string& data) {
        if (server_) server_->tell_event(data);
    };
    local_.on_deaths = [this](const std::vector<uint32_t>& ranks) { deaths_told(ranks); };
    local_.on_answer = [this](uint64_t ticket, bool found, const std::string& value) {
        answered(ticket, found, value);
    };
}

Result<PmixJob> PmixService::pmix_job() const {
    auto map = decode_node_map(job_.node_map, job_.nodes, job_.ranks);
    if (!map || node_ == 0 || node_ > map->hosts.size())
        return os_error("read the job's node map", EPROTO);
    PmixJob job;
    job.nspace = job_.job_id;
    job.size = job_.ranks;
    job.universe_size = job_.universe_size;
    job.node = node_ - 1;
    for (const Host& host : map->hosts)
        job.hosts.push_back(host.name);
    job.ranks = std::move(map->ranks);
    uint32_t first = 0;
    for (const Program& program : job_.programs) {
        const std::string& wdir = program.wdir.empty() ? job_.wdir : program.wdir;
        job.programs.push_back({first, program.ranks, program.argv, wdir});
        first += program.ranks;
    }
    job.processors = usable_cpus();
    job.folders.top = pmix_folder(job_.job_id, job.node);
    return job;
}

/// Where nobody waits for it any more it is closed in the thread, when it is there.
awaitable<void> PmixService::open(std::stop_token stop) {
    if (server_ || no_server_) co_return;
    auto job = pmix_job();
    if (!job) {
        no_server_ = std::move(job.error());
        co_return;
    }
    host_.modex_folder(job->folders.top);
    PmixServer::set_up_environment();
    const auto started = std::make_shared<std::optional<Result<std::unique_ptr<PmixServer>>>>();
    PmixEvents& events = *this;
    std::function<void()> work = [started, executor = executor_, job = std::move(*job), &events] {
        started->emplace(PmixServer::start(executor, job, events));
    };
    const auto patience = job_.policies.start_timeout;
    const bool done = co_await thread_.run(std::move(work), patience, stop);
    if (done)
        take_server(std::move(**started));
    else
        no_server_ = no_start(patience);
}

void PmixService::take_server(Result<std::unique_ptr<PmixServer>> started) {
    if (!started) {
        no_server_ = std::move(started.error());
        return;
    }
    server_ = std::move(*started);
    if (job_.policies.keep_going || job_.policies.survives_host_loss()) {
        local_.exchange().watch_deaths();
        local_.settle();
    }
}

Status PmixService::offer(uint32_t rank, std::vector<std::string>& env) {
    if (!server_) return *no_server_;
    may_fence_.insert(rank);
    return server_->rank_env(rank, env);
}

void PmixService::not_started(uint32_t rank) {
    may_fence_.erase(rank);
    if (server_) server_->rank_ended(rank, can_be_taken_out(rank));
}

bool PmixService::exited(uint32_t rank) {
    may_fence_.erase(rank);
    give_up_all_of(rank);
    if (server_) server_->rank_ended(rank, can_be_taken_out(rank));
    return joined_.erase(rank) > 0;
}

/// libpmix knows a client by a number that the next one to connect may get, and would take that one
/// out in its place: only when none can have connected since the rank was last heard of, and none
/// is to come.
bool PmixService::can_be_taken_out(uint32_t rank) const {
    const auto heard = heard_at_.find(rank);
    const bool its_own = heard == heard_at_.end() || heard->second == joins_;
    return its_own && !may_fence_.empty() &&
           std::includes(joined_.begin(), joined_.end(), may_fence_.begin(), may_fence_.end());
}

awaitable<void> PmixService::close() {
    open_.clear();
    const auto server = std::move(server_);  // what neighbours say meanwhile finds none
    no_server_ = no_answer("this node leaves");
    if (!server) co_return;
    std::function<void()> end = server->end();
    const bool ended = co_await thread_.run(std::move(end), end_patience, {});
    if (!ended) server->remove_files();
}

void PmixService::trace(uint32_t rank, const std::string& text) {
    if (tracing_) host_.modex_trace(rank, "pmi: rank " + std::to_string(rank) + " " + text);
}

void PmixService::pmix_joined(uint32_t rank) {
    trace(rank, "-> PMIx init");
    spoke_.insert(rank);
    joined_.insert(rank);
    may_fence_.insert(rank);
    finalized_.erase(rank);
    heard_at_[rank] = ++joins_;
}

void PmixService::pmix_finalized(uint32_t rank) {
    trace(rank, "-> PMIx finalize");
    joined_.erase(rank);
    may_fence_.erase(rank);
    finalized_.insert(rank);
    heard_at_[rank] = joins_;
}

void PmixService::pmix_fence(const Group& ranks, std::string data, bool collect, Done done) {
    trace(speaker_, "and neighbours -> PMIx fence, " + std::to_string(data.size()) + " bytes" +
                        (collect ? ", collect" : ""));
    if (!ranks.empty() && ranks.back() >= job_.ranks)
        return done(misused("there is no rank " + std::to_string(ranks.back())));
    const bool all = ranks.empty() || ranks.size() == job_.ranks;
    for (const uint32_t rank : joined_) {
        if (all) heard_at_[rank] = joins_;
    }
    if (all) {
        // The fence's end is told by settle(), so not before it is known here.
        if (in_fence_ || !local_.exchange().join_all(std::move(data), collect, finalized_)) {
            done(misused("this fence is entered already"));
        } else {
            in_fence_ = std::move(done);
        }
    } else if (in_group_.count(ranks) > 0) {
        done(misused("this fence is entered already"));
    } else {
        in_group_[ranks] = std::move(done);
        local_.exchange().join_group(ranks, std::move(data), finalized_);
    }
    local_.settle();
}

void PmixService::fence_done(std::string blob) {
    trace(speaker_, "and neighbours <- PMIx fence, " + std::to_string(blob.size()) + " bytes");
    if (in_fence_) std::exchange(in_fence_, nullptr)(std::move(blob));
}

void PmixService::group_done(const Group& group, const std::string& blob) {
    const auto at = in_group_.find(group);
    if (at == in_group_.end()) return;
    trace(speaker_, "and neighbours <- PMIx fence of " + std::to_string(group.size()) + " ranks, " +
                        std::to_string(blob.size()) + " bytes");
    const Done done = std::move(at->second);
    in_group_.erase(at);
    done(blob);
}

uint64_t PmixService::remember(Done done, std::optional<uint32_t> awaited_by) {
    open_.emplace(next_ticket_, Open{std::move(done), awaited_by});
    return next_ticket_++;
}

void PmixService::answered(uint64_t ticket, bool found, const std::string& value) {
    const auto at = open_.find(ticket);
    if (at == open_.end()) return;
    const Done done = std::move(at->second.done);
    if (at->second.awaited_by) --awaited_[*at->second.awaited_by];
    open_.erase(at);
    trace(speaker_, "or neighbours <- PMIx " +
                        (found ? std::to_string(value.size()) + " bytes" : "not found"));
    if (found) return done(value);
    Error error = no_answer("not found");
    if (value == name_timeout) error.kind = ErrorKind::timed_out;
    done(std::move(error));
}

void PmixService::pmix_fetch(uint32_t rank, Done done) {
    trace(speaker_, "or neighbours -> PMIx get of rank " + std::to_string(rank));
    local_.exchange().fetch(remember(std::move(done)), rank);
    local_.settle();
}

void PmixService::blob_wanted(uint32_t rank) {
    auto resolve = [this, rank](Result<std::string> blob) {
        local_.exchange().resolved(rank, blob ? std::optional(std::move(*blob)) : std::nullopt);
        local_.settle();
    };
    if (server_) {
        server_->fetch_local(rank, resolve);
    } else {
        resolve(no_answer("that rank does not speak PMIx"));
    }
}

uint64_t PmixService::ask_name(NameAsk::Verb verb, std::string key, std::string value,
                               uint64_t ticket) {
    local_.exchange().name(verb, ticket, name_prefix + key, std::move(value));
    local_.settle();
    return ticket;
}

void PmixService::pmix_publish(uint32_t rank, std::string key, std::string value, bool once,
                               Done done) {
    trace(rank, "-> PMIx publish " + printable(key, max_trace));
    if (!local_.within_quota(rank, key.size() + value.size())) return done(no_answer("too much"));
    const auto verb = once ? NameAsk::Verb::publish_once : NameAsk::Verb::publish;
    ask_name(verb, std::move(key), std::move(value), remember(std::move(done)));
}

uint64_t PmixService::pmix_lookup(uint32_t rank, std::string key, bool awaits, Done done) {
    trace(rank, "-> PMIx lookup " + printable(key, max_trace) + (awaits ? ", wait" : ""));
    if (awaits && awaited_[rank] >= most_awaited) {
        done(misused("more names are awaited than " + std::to_string(most_awaited)));
        return next_ticket_++;
    }
    const auto verb = awaits ? NameAsk::Verb::await : NameAsk::Verb::lookup;
    if (awaits) ++awaited_[rank];
    const auto awaited_by = awaits ? std::optional(rank) : std::nullopt;
    return ask_name(verb, std::move(key), {}, remember(std::move(done), awaited_by));
}

void PmixService::pmix_give_up(uint64_t lookup) {
    local_.exchange().name(NameAsk::Verb::give_up, lookup, {}, {});
    local_.settle();
}

/// What it waits for it must not take from those who live.
void PmixService::give_up_all_of(uint32_t rank) {
    std::vector<uint64_t> lookups;
    for (const auto& [ticket, open] : open_)
        if (open.awaited_by == rank) lookups.push_back(ticket);
    for (const uint64_t lookup : lookups)
        pmix_give_up(lookup);
}

void PmixService::pmix_unpublish(std::string key, Done done) {
    trace(speaker_, "or neighbours -> PMIx unpublish " + printable(key, max_trace));
    ask_name(NameAsk::Verb::unpublish, std::move(key), {}, remember(std::move(done)));
}

void PmixService::pmix_event(uint32_t rank, std::string data) {
    trace(rank, "-> PMIx event, " + std::to_string(data.size()) + " bytes");
    if (data.size() > most_event_bytes) {
        // libpmix tells the rank that all is well, whatever we say.
        host_.modex_fault({rank, FaultMessage::Kind::protocol, 0,
                           "told the others an event of " + std::to_string(data.size() >> 10) +
                               " KiB; at most " + std::to_string(most_event_bytes >> 10) +
                               " KiB travel",
                           "publish it, or put it and fence"});
        return;
    }
    if (!local_.within_quota(rank, data.size())) return;
    local_.exchange().tell_event(data);
    local_.settle();
}

void PmixService::deaths_told(const std::vector<uint32_t>& ranks) {
    if (!server_) return;
    for (const uint32_t rank : ranks) {
        trace(speaker_, "and neighbours <- PMIx event: rank " + std::to_string(rank) + " died");
        server_->notify_died(rank);
    }
}

void PmixService::pmix_abort(uint32_t rank, int code, std::string message) {
    trace(rank, "-> PMIx abort " + std::to_string(code));
    if (message == "N/A") message.clear();  // Open MPI's word for none
    host_.modex_fault(
        {rank, FaultMessage::Kind::aborted, code, printable(message, max_abort_text), {}});
}

}  // namespace launch
