// SPDX-License-Identifier: MIT
#include "modex/server/pmix_service.hpp"

#include <algorithm>
#include <map>

#include "core/base/seconds.hpp"
#include "core/job/program_index.hpp"
#include "core/job/program_path.hpp"
#include "core/process/cpus.hpp"
#include "modex/front/printable.hpp"
#include "modex/pmix/usable_folder.hpp"
#include "modex/server/space_job.hpp"

namespace launch {
namespace {

/// PMIx's names and PMI's are apart.
constexpr const char* name_prefix = "pmix:";
/// An event goes to every node of the job.
constexpr size_t most_event_bytes = 1u << 20;

/// Usually milliseconds. libpmix 4.2 ends a thread of its own that may hold a lock, for which its
/// own end then waits for good (pmix_rte_finalize; seen after events): it is left behind then, as
/// this process ends next. Where that goes on, libpmix only forgets the job.
constexpr milliseconds end_patience{2000};

Error no_start(const char* what, milliseconds patience) {
    return {.kind = ErrorKind::internal,
            .operation = "offer PMIx",
            .cause = std::string(what) + " within " + in_seconds(patience),
            .hint = "is a file server down? try another --pmi"};
}

Result<PmixPlace> place_of_server(std::string kept, const std::vector<std::string>& parents) {
    if (!kept.empty()) return PmixPlace{{}, std::move(kept)};
    auto parent = usable_folder(parents);
    if (!parent) return std::move(parent.error());
    return PmixPlace{std::move(*parent), {}};
}

Error no_answer(const char* why) {
    Error error;
    error.kind = ErrorKind::protocol;
    error.cause = why;
    return error;
}

/// By its kind a callback knows what it was.
Result<std::string> result_of(DeskAnswer answer) {
    if (answer.outcome == DeskAnswer::Outcome::ok) return std::move(answer.text);
    const bool refused = answer.outcome == DeskAnswer::Outcome::refused;
    return Error{.kind = refused ? ErrorKind::usage : ErrorKind::protocol,
                 .cause = std::move(answer.text)};
}

std::string word_for(const Collective& collective) {
    switch (collective.kind) {
        case Collective::Kind::connect: return "connect";
        case Collective::Kind::disconnect: return "disconnect";
        case Collective::Kind::group: return "group " + printable(collective.group, max_trace);
        case Collective::Kind::fence: return "fence of several jobs";
        case Collective::Kind::ungroup: break;
    }
    return "end of group " + printable(collective.group, max_trace);
}

/// The kind of an error for which CollectiveDesk refuses.
ErrorKind kind_of(std::string_view why) {
    if (why == name_timeout) return ErrorKind::timed_out;
    if (why == CollectiveDesk::no_space) return ErrorKind::not_found;
    return why == CollectiveDesk::no_member ? ErrorKind::protocol : ErrorKind::usage;
}

std::string one_or_count(const std::string& name, size_t count) {
    return count == 1 ? printable(name, max_trace) : std::to_string(count) + " names";
}

}  // namespace

PmixService::PmixService(any_io_executor executor, const JobMessage& job, ModexHost& host,
                         LocalService& local, PmixLibrary library)
    : executor_(std::move(executor)),
      job_(job),
      host_(host),
      local_(local),
      library_(std::move(library)),
      thread_(executor_, 1),
      tracing_(traces_pmi(job)) {
    local_.on_event = [this](const std::string& data) {
        if (server_) server_->tell_event(data);
    };
    local_.on_deaths = [this](const std::vector<uint32_t>& ranks) { deaths_told(ranks); };
}

Result<PmixJob> PmixService::pmix_job(const PmixPlace& place) const {
    auto of_all = pmix_job_of(space_facts(job_));
    if (!of_all || node_ == 0 || node_ > of_all->hosts.size())
        return os_error("read the job's node map", EPROTO);
    PmixJob job = *std::move(of_all);
    job.node = node_ - 1;
    job.spawner = job_.origin.parent;
    job.spawner_rank = job_.origin.rank;
    job.processors = usable_cpus();
    job.tools = job_.policies.tools;
    job.stops_in_init = job_.policies.hold == Hold::in_init;
    job.folders.top = pmix_folder(place.parent, job_.job_id, job.node);
    const std::string shared = host_.modex_shared_name();
    if (!shared.empty()) {
        job.folders.shared = place.kept.empty() ? pmix_folder(place.parent, shared, 0) : place.kept;
        job.folders.top = job.folders.shared + "/" + job_.job_id;
    }
    return job;
}

/// The folder is known before libpmix starts, so that the process that cleans up after a kill can
/// get it first.
awaitable<Result<PmixPlace>> PmixService::find_place(std::stop_token stop) {
    const auto found = std::make_shared<std::optional<Result<PmixPlace>>>();
    // The environment is read on this thread, which also changes it for libpmix.
    std::function<void()> find = [found, kept = library_.kept_folder,
                                  parents = pmix_parent_folders()] {
        found->emplace(place_of_server(kept(), parents));
    };
    const auto patience = job_.policies.start_timeout;
    const bool done = co_await thread_.run(std::move(find), patience, std::move(stop));
    if (done) co_return std::move(**found);
    co_return no_start("no folder for the PMIx server answers", patience);
}

/// Where nobody waits for it any more it is closed in the thread, when it is there.
awaitable<void> PmixService::open(Wanted wanted, std::stop_token stop) {
    if (server_ || no_server_) co_return;
    const auto place = co_await find_place(stop);
    if (!place) {
        no_server_ = place.error();
        co_return;
    }
    auto job = pmix_job(*place);
    if (!job) {
        no_server_ = std::move(job.error());
        co_return;
    }
    own_host_ = job->hosts[job->node];
    job->bound = std::move(wanted.bound);
    job->library = std::move(wanted.library);
    host_.modex_folder(job->folders.of_server());
    library_.set_up_environment(wanted.store);
    const auto started = std::make_shared<std::optional<Result<std::unique_ptr<PmixServer>>>>();
    PmixEvents& events = *this;
    std::function<void()> work = [started, start = library_.start, executor = executor_,
                                  job = std::move(*job),
                                  &events] { started->emplace(start(executor, job, events)); };
    const auto patience = job_.policies.start_timeout;
    const bool done = co_await thread_.run(std::move(work), patience, stop);
    if (done)
        take_server(std::move(**started));
    else if (auto refused = thread_.no_thread())
        no_server_ = *std::move(refused);
    else
        no_server_ = no_start("libpmix does not start", patience);
}

void PmixService::take_server(Result<std::unique_ptr<PmixServer>> started) {
    if (!started) {
        no_server_ = std::move(started.error());
        return;
    }
    server_ = std::move(*started);
    local_.desk().set_source(this);
    if (job_.policies.keep_going || job_.policies.survives_host_loss()) {
        local_.exchange().watch_deaths();
        local_.settle();
    }
}

std::optional<std::string> PmixService::no_tools() const {
    if (!server_) return no_server_ ? no_server_->cause : std::string("there is no PMIx server");
    if (server_->serves_tools()) return std::nullopt;
    return "an earlier job of this session, without --tools, has opened the PMIx server";
}

Status PmixService::opened() const {
    if (server_ || !no_server_) return Ok{};
    return *no_server_;
}

Status PmixService::offer(uint32_t rank, std::vector<std::string>& env) {
    if (!server_) return *no_server_;
    clients_.expect(rank);
    return server_->rank_env(rank, env);
}

bool PmixService::ended(uint32_t rank) {
    const bool unfinished = clients_.end(rank);
    if (server_ && clients_.can_be_taken_out(rank)) server_->stop_waiting_for(rank);
    return unfinished;
}

awaitable<void> PmixService::close() {
    const auto server = std::move(server_);  // what neighbours say meanwhile finds none
    no_server_ = no_answer("this node is leaving the job");
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
    if (!clients_.join(rank)) return joined_twice(rank);
    if (on_joined) on_joined();
}

/// Ends the job. libpmix takes both processes for the rank: a fence of the second counts in place
/// of one of the first, and if one of them ends without finalize, the other one hangs in its next
/// fence. The second process alone cannot be refused: libpmix 4.1 to 5.0 ignores an error of
/// client_connected2(), and after an error of client_connected() it frees the rank's record and
/// closes the socket twice.
void PmixService::joined_twice(uint32_t rank) {
    host_.modex_fault({rank, FaultMessage::Kind::protocol, 0,
                       "a second process of this rank called MPI_Init before the first one had "
                       "called MPI_Finalize",
                       "a child process of a rank, such as one of Python's multiprocessing, must "
                       "not initialize MPI"});
}

void PmixService::pmix_finalized(uint32_t rank) {
    trace(rank, "-> PMIx finalize");
    clients_.finalize(rank);
}

/// `what`: of what is traced when there is an answer.
Asker PmixService::asker(std::optional<uint32_t> rank, const char* what, Done done) {
    return {rank, nullptr, [this, what, done = std::move(done)](DeskAnswer answer) {
                const bool ok = answer.outcome == DeskAnswer::Outcome::ok;
                trace(speaker_,
                      std::string("or neighbours <- PMIx ") + what +
                          (ok ? std::to_string(answer.text.size()) + " bytes" : answer.text));
                done(result_of(std::move(answer)));
            }};
}

void PmixService::pmix_fence(const Group& ranks, std::string data, bool collect, Done done) {
    trace(speaker_, "and neighbours -> PMIx fence, " + std::to_string(data.size()) + " bytes" +
                        (collect ? ", collect" : ""));
    Asker who = asker(std::nullopt, "fence: ", std::move(done));
    const bool all = ranks.empty() || ranks.size() == job_.ranks;
    if (!ranks.empty() && ranks.back() >= job_.ranks) {
        std::string why = "there is no rank " + std::to_string(ranks.back());
        local_.desk().reply(std::move(who), {DeskAnswer::Outcome::refused, std::move(why), {}});
    } else if (all) {
        clients_.fence();
        local_.desk().fence_all(std::move(who), std::move(data), collect,
                                clients_.in(PmixClients::State::finalized));
    } else {
        local_.desk().fence_group(std::move(who), ranks, std::move(data),
                                  clients_.in(PmixClients::State::finalized));
    }
    local_.settle();
}

void PmixService::pmix_fetch(uint32_t rank, Done done) {
    trace(speaker_, "or neighbours -> PMIx get of rank " + std::to_string(rank));
    local_.desk().fetch(asker(std::nullopt, "get: ", std::move(done)), rank);
    local_.settle();
}

void PmixService::pmix_fetch_of(const std::string& nspace, uint32_t rank, Done done) {
    trace(speaker_, "or neighbours -> PMIx get of rank " + std::to_string(rank) + " of " + nspace);
    local_.desk().fetch_of(asker(std::nullopt, "get: ", std::move(done)), nspace, rank);
    local_.settle();
}

void PmixService::pmix_collective(PmixCollective asked, CollectiveDone done) {
    const std::string what = word_for(asked.collective);
    trace(speaker_, "and neighbours -> PMIx " + what);
    Asker who{std::nullopt, nullptr,
              [this, what, collective = asked.collective,
               done = std::move(done)](const DeskAnswer& answer) {
                  auto all = result(collective, answer);
                  trace(speaker_, "and neighbours <- PMIx " + what + ": " +
                                      (all ? std::string("ok") : all.error().cause));
                  done(std::move(all));
              }};
    local_.desk().collective(std::move(who), asked.collective, asked.part, asked.limit,
                             Clock::now());
    local_.settle();
}

Result<CollectiveResult> PmixService::result(const Collective& collective,
                                             const DeskAnswer& answer) {
    if (answer.outcome != DeskAnswer::Outcome::ok)
        return Error{
            .kind = kind_of(answer.text), .operation = word_for(collective), .cause = answer.text};
    auto all = CollectiveResult::decode(answer.text);
    if (!all) return no_answer("malformed");
    Status known = acquaint(collective, *all);
    if (!known) return std::move(known.error());
    return *std::move(all);
}

/// libpmix hands to each member what it knows of the other jobs, before it lets it go on.
Status PmixService::acquaint(const Collective& collective, const CollectiveResult& result) {
    using Kind = Collective::Kind;
    if (!server_) return no_answer("this node is leaving the job");
    if (collective.kind == Kind::disconnect || collective.kind == Kind::ungroup)
        for (const SpaceMembers& members : collective.members)
            server_->part(members.space);
    for (const SpaceFacts& facts : result.spaces) {
        const auto job = pmix_job_of(facts);
        if (!job) return no_answer("malformed");
        Status met = server_->meet(*job);
        if (!met) return met;
    }
    return Ok{};
}

void PmixService::fetch(uint32_t rank) {
    auto published = [this, rank](Result<std::string> blob) {
        local_.desk().published(rank, blob ? std::optional(std::move(*blob)) : std::nullopt);
        local_.settle();
    };
    if (server_) {
        server_->fetch_local(rank, published);
    } else {
        published(no_answer("this node is leaving the job"));
    }
}

void PmixService::give_up(uint32_t rank) {
    if (server_) server_->give_up_fetches(rank);
}

void PmixService::pmix_publish(uint32_t rank, std::vector<NamedValue> names, bool once,
                               NameScope scope, Done done) {
    trace(rank, "-> PMIx publish " + one_or_count(names.front().name, names.size()));
    for (NamedValue& each : names)
        each.name.insert(0, name_prefix);
    scope.host = own_host_;
    const bool fits = local_.desk().publish(asker(rank, "publish: ", done), std::move(names), once,
                                            std::move(scope));
    if (!fits) {
        local_.runaway(rank);
        done(no_answer("too much data"));
    }
    local_.settle();
}

void PmixService::pmix_lookup(uint32_t rank, NameLookup lookup, Found found) {
    trace(rank, "-> PMIx lookup " + one_or_count(lookup.names.front(), lookup.names.size()) +
                    (lookup.waits ? ", wait" : ""));
    for (std::string& name : lookup.names)
        name.insert(0, name_prefix);
    const size_t count = lookup.names.size();
    lookup.scope.host = own_host_;
    Asker who{rank, nullptr, [this, rank, count, found = std::move(found)](DeskAnswer answer) {
                  answer.names.resize(count);  // none, where it was refused
                  const auto missing =
                      std::count(answer.names.begin(), answer.names.end(), std::nullopt);
                  trace(rank, "<- PMIx lookup: " + std::to_string(missing) + " not found");
                  found({std::move(answer.names), answer.outcome == DeskAnswer::Outcome::late});
              }};
    local_.desk().look_up(std::move(who), std::move(lookup), Clock::now());
    local_.settle();
}

void PmixService::pmix_unpublish(uint32_t rank, std::vector<std::string> names, Done done) {
    if (names.empty()) {
        trace(rank, "-> PMIx unpublish all");
        local_.desk().unpublish_all(asker(rank, "unpublish: ", std::move(done)), name_prefix);
        return local_.settle();
    }
    trace(rank, "-> PMIx unpublish " + one_or_count(names.front(), names.size()));
    for (std::string& name : names)
        name.insert(0, name_prefix);
    local_.desk().unpublish(asker(rank, "unpublish: ", std::move(done)), std::move(names));
    local_.settle();
}

/// A rank of Open MPI passes on its own variables, which belong to its own job.
void PmixService::pmix_spawn(uint32_t rank, SpawnOrder order, Done done) {
    trace(rank, "-> PMIx spawn " + printable(order.programs.front().argv.front(), max_trace));
    for (auto& program : order.programs)
        if (server_) server_->leave_out_own_settings(program.env);
    local_.spawn(asker(rank, "spawn: ", std::move(done)), std::move(order));
    local_.settle();
}

void PmixService::pmix_event(std::optional<uint32_t> source, std::string data) {
    const uint32_t rank = source.value_or(speaker_);
    trace(rank, "-> PMIx event, " + std::to_string(data.size()) + " bytes");
    if (data.size() > most_event_bytes) {
        if (!source) return;  // the job does not suffer from a tool
        // libpmix tells the rank that all is well, whatever we say.
        host_.modex_fault({rank, FaultMessage::Kind::protocol, 0,
                           "sent an event of " + std::to_string(data.size() >> 10) +
                               " KiB; the limit is " + std::to_string(most_event_bytes >> 10) +
                               " KiB",
                           "publish the data instead, or put the data and fence"});
        return;
    }
    const bool told = local_.desk().tell_event(rank, data, Clock::now());
    if (!told && source) return local_.runaway(rank);
    local_.settle();
}

void PmixService::deaths_told(const std::vector<uint32_t>& ranks) {
    if (!server_) return;
    for (const uint32_t rank : ranks) {
        trace(speaker_, "and neighbours <- PMIx event: rank " + std::to_string(rank) + " died");
        server_->notify_died(rank);
    }
}

std::vector<PmixProcess> PmixService::table_of(const std::vector<RankState>& ranks) const {
    const auto job = pmix_job_of(space_facts(job_));
    std::map<uint32_t, std::string> hosts;
    for (size_t node = 0; job && node < job->hosts.size(); ++node)
        for_each_rank(job->ranks[node], [&](uint32_t rank) { hosts[rank] = job->hosts[node]; });
    std::vector<PmixProcess> table;
    for (const RankState& state : ranks) {
        if (!hosts.contains(state.rank)) continue;
        const Program& program = job_.programs[program_index(job_.programs, state.rank)];
        table.push_back(
            {state.rank, state.pid, hosts[state.rank], program_path(program, job_.wdir)});
    }
    return table;
}

void PmixService::pmix_table(bool local, TableDone done) {
    trace(speaker_, std::string("or a tool -> PMIx query of ") + (local ? "ranks here" : "ranks"));
    if (local) return done(table_of(host_.modex_ranks()));
    Asker who{std::nullopt, nullptr, [this, done = std::move(done)](const DeskAnswer& answer) {
                  const auto ranks = SurveyMessage::decode(answer.text);
                  if (answer.outcome != DeskAnswer::Outcome::ok || !ranks)
                      return done(no_answer("no answer of the head"));
                  done(table_of(ranks->ranks));
              }};
    local_.ask_head(std::move(who), speaker_, {.kind = SpawnOrder::Kind::ranks});
    local_.settle();
}

void PmixService::pmix_output_wanted(const std::vector<uint32_t>& ranks) {
    read_along_.insert(ranks.begin(), ranks.end());
}

void PmixService::pmix_abort(uint32_t rank, int code, std::string message) {
    trace(rank, "-> PMIx abort " + std::to_string(code));
    if (message == "N/A") message.clear();  // Open MPI's word for none
    host_.modex_fault(
        {rank, FaultMessage::Kind::aborted, code, printable(message, max_abort_text), {}});
}

}  // namespace launch
