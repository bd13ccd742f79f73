// SPDX-License-Identifier: MIT
#include "modex/server/modex_service.hpp"

#include <algorithm>
#include <csignal>
#include <map>
#include <set>

#include "core/base/environment.hpp"
#include "core/base/late_variables.hpp"
#include "core/job/program_index.hpp"
#include "modex/detect/silence_hint.hpp"
#include "modex/pmi/pmi_front.hpp"
#include "modex/pmix/pmix_server.hpp"
#include "modex/server/local_service.hpp"
#include "modex/server/offers.hpp"
#include "modex/server/place_env.hpp"
#include "modex/server/pmi_port.hpp"
#include "modex/server/pmix_service.hpp"

namespace launch {
namespace {

PmiOffer pmi_offer(PmiChoice choice) {
    if (choice == PmiChoice::pmi1 || choice == PmiChoice::pmi1_port) return PmiOffer::pmi1;
    return choice == PmiChoice::pmi2 ? PmiOffer::pmi2 : PmiOffer::any;
}

class ModexService : public ModexServer, private PmiPortHandler {
  public:
    ModexService(any_io_executor executor, const JobMessage& job, ModexHost& host,
                 std::shared_ptr<RootDesk> shared, PmixLibrary pmix)
        : job_(job),
          host_(host),
          local_(executor, job, host, std::move(shared)),
          port_(executor, static_cast<PmiPortHandler&>(*this)),
          pmix_(executor, job, host, local_, std::move(pmix)),
          offers_(job.policies.pmi) {
        pmix_.on_joined = [this] { look_for_absent({}); };
    }

    void start(NodeIndex node, const std::vector<RankRun>& ranks, bool root) override;
    void bound(std::vector<RankBinding> ranks) override { bound_ = std::move(ranks); }
    void add_child(NodeIndex child, const std::vector<std::vector<RankRun>>& ranks) override {
        local_.exchange().add_child(child, ranks);
    }
    void remove_child(NodeIndex child) override {
        local_.exchange().remove_child(child);
        local_.settle();
    }
    void split_child(NodeIndex whole, NodeIndex part,
                     const std::vector<std::vector<RankRun>>& ranks,
                     const std::vector<std::vector<RankRun>>& others) override {
        local_.exchange().split_child(whole, part, ranks, others);
        local_.settle();
    }
    void release_child(NodeIndex whole, const std::vector<std::vector<RankRun>>& ranks,
                       const std::vector<std::vector<RankRun>>& others) override {
        local_.exchange().release_child(whole, ranks, others);
        local_.settle();
    }
    void widen_child(NodeIndex child, const std::vector<std::vector<RankRun>>& ranks) override {
        local_.exchange().widen_child(child, ranks);
        local_.settle();
    }
    void lose_child(NodeIndex child, const std::vector<uint32_t>& ranks) override {
        if (!job_.policies.survives_host_loss()) return;
        local_.exchange().lose_child(child, ranks);
        local_.settle();
    }
    void new_parent() override {
        local_.exchange().new_parent();
        local_.settle();
    }
    bool from_parent(std::string_view message) override;
    bool from_child(NodeIndex child, std::string_view message) override;
    void open_peers(uint32_t self, uint32_t count) override {
        local_.exchange().open_peers(self, count);
        local_.settle();
    }
    void no_peers() override {
        local_.exchange().no_peers();
        local_.settle();
    }
    bool from_peer(uint32_t number, std::string_view message) override;
    void peer_lost(uint32_t number) override {
        local_.exchange().peer_lost(number);
        local_.settle();
    }
    void spawned(const SpawnedMessage& answer) override { local_.spawned(answer); }
    void exited_below(NodeIndex child, uint32_t rank, const ExitStatus& status) override;

    awaitable<Status> prepare(uint32_t rank, SpawnRequest request, DetachedPool& files,
                              std::stop_token stop) override;
    Status offer(uint32_t rank, SpawnRequest& request) override;
    void started(uint32_t rank) override;
    void not_started(uint32_t rank) override;
    void wrote(const OutputMessage& output) override { pmix_.wrote(output); }
    std::optional<FaultMessage> exited(uint32_t rank, const ExitStatus& status) override;
    bool leaves_nothing() const override { return !port_.is_open() && !pmix_.was_opened(); }
    awaitable<void> close() override;

  private:
    bool came(PortArrival arrival) override;
    awaitable<void> look(size_t program, SpawnRequest request, DetachedPool& files,
                         std::stop_token stop);
    Status offer_pmi(uint32_t rank, SpawnRequest& request);
    Status offer_pmix(uint32_t rank, SpawnRequest& request);
    Status offer_socket(uint32_t rank, SpawnRequest& request);
    Status offer_port(uint32_t rank, SpawnRequest& request);
    void tell_refused();
    void tell_no_pmix(const Error& why);
    void tell_no_tools();
    RankFacts facts_of(uint32_t rank) const;
    RankPlace place_of(uint32_t rank) const;
    bool leaves_quietly(const ExitStatus& status) const;
    void note_second(uint32_t rank, const ExitStatus& status);
    void note_silence(uint32_t rank, bool excused);
    void look_for_absent(std::optional<uint32_t> more);

    /// Counts the ranks of one program here that still run; if all end without PMI, silence_hint()
    /// says why.
    struct Silence {
        uint32_t awaited = 0;  ///< ranks that run, or are about to
        bool excused = false;
    };

    const JobMessage& job_;
    ModexHost& host_;
    LocalService local_;
    PmiPort port_;
    PmixService pmix_;
    Offers offers_;
    std::vector<uint32_t> ranks_;
    std::vector<RankBinding> bound_;          ///< by local rank
    std::map<size_t, Silence> silences_;      ///< by program
    std::map<uint32_t, UniqueFd> inherited_;  ///< the ranks' ends, until they have them
    std::set<uint32_t> absent_;               ///< ranks that are gone and joined nobody
    bool no_pmix_told_ = false;
    bool no_tools_told_ = false;
};

void ModexService::start(NodeIndex node, const std::vector<RankRun>& ranks, bool root) {
    for_each_rank(ranks, [this](uint32_t rank) { ranks_.push_back(rank); });
    local_.start(node, ranks_, root);
    pmix_.start(node, ranks_.empty() ? 0 : ranks_.front());
}

bool ModexService::from_parent(std::string_view message) {
    const bool taken = local_.exchange().from_parent(message);
    local_.settle();
    return taken;
}

bool ModexService::from_child(NodeIndex child, std::string_view message) {
    const bool taken = local_.exchange().from_child(child, message);
    local_.settle();
    return taken;
}

bool ModexService::from_peer(uint32_t number, std::string_view message) {
    const bool taken = local_.exchange().from_peer(number, message);
    local_.settle();
    return taken;
}

void ModexService::exited_below(NodeIndex, uint32_t rank, const ExitStatus& status) {
    if (!leaves_quietly(status)) return;
    Exchange& exchange = local_.exchange();
    status.kind == ExitStatus::Kind::lost ? exchange.lost_below(rank) : exchange.exited_below(rank);
    local_.settle();
}

/// A rank that fails ends the job by itself; that others wait for it is not news then.
bool ModexService::leaves_quietly(const ExitStatus& status) const {
    if (status.kind == ExitStatus::Kind::lost) return job_.policies.survives_host_loss();
    return status.success() || job_.policies.keep_going;
}

RankFacts ModexService::facts_of(uint32_t rank) const {
    RankFacts facts;
    facts.rank = rank;
    facts.size = job_.ranks;
    facts.universe_size = job_.universe_size;
    facts.kvsname = job_.job_id;
    facts.process_mapping = job_.process_mapping;
    facts.spawner = job_.origin.parent;
    facts.appnum = static_cast<uint32_t>(program_index(job_.programs, rank));
    return facts;
}

RankPlace ModexService::place_of(uint32_t rank) const {
    const auto local =
        static_cast<size_t>(std::find(ranks_.begin(), ranks_.end(), rank) - ranks_.begin());
    return {.rank = rank,
            .size = job_.ranks,
            .local_rank = static_cast<uint32_t>(local),
            .local_size = static_cast<uint32_t>(ranks_.size()),
            .bound = local < bound_.size() && !bound_[local].cpus.empty()};
}

Status ModexService::offer_socket(uint32_t rank, SpawnRequest& request) {
    auto socket =
        local_.open_session(rank, make_pmi_front(facts_of(rank), pmi_offer(job_.policies.pmi)));
    if (!socket) return std::move(socket.error());
    set_env(request.env, "PMI_FD", std::to_string(socket->get()));
    request.inherit.push_back(socket->get());
    inherited_[rank] = std::move(*socket);
    return Ok{};
}

Status ModexService::offer_port(uint32_t rank, SpawnRequest& request) {
    if (!port_.is_open()) {
        Status opened = port_.open();
        if (!opened) return opened;
    }
    set_env(request.env, "PMI_PORT", port_.address());
    set_env(request.env, "PMI_ID", std::to_string(port_.invite(rank)));
    return Ok{};
}

bool ModexService::came(PortArrival arrival) {
    const uint32_t rank = arrival.rank;
    auto front = make_pmi_front(facts_of(rank), pmi_offer(job_.policies.pmi), arrival.id);
    if (!local_.adopt_session(rank, std::move(arrival.socket), arrival.said, std::move(front)))
        return false;
    local_.run_session(rank);
    return true;
}

Status ModexService::offer_pmi(uint32_t rank, SpawnRequest& request) {
    const bool by_port = job_.policies.pmi == PmiChoice::pmi1_port;
    Status offered = by_port ? offer_port(rank, request) : offer_socket(rank, request);
    if (!offered) return offered;
    set_env(request.env, "PMI_RANK", std::to_string(rank));
    set_env(request.env, "PMI_SIZE", std::to_string(job_.ranks));
    if (job_.origin.is_spawned()) set_env(request.env, "PMI_SPAWNED", "1");
    const RankPlace place = place_of(rank);
    add_local_place(request.env, place);
    add_mpich_settings(request.env, place);
    return Ok{};
}

Status ModexService::offer_pmix(uint32_t rank, SpawnRequest& request) {
    Status offered = pmix_.offer(rank, request.env);
    if (!offered) return offered;
    const RankPlace place = place_of(rank);
    add_local_place(request.env, place);
    add_open_mpi_place(request.env, place);
    add_open_mpi_job(request.env, job_, request.wdir);
    return Ok{};
}

awaitable<Status> ModexService::prepare(uint32_t rank, SpawnRequest request, DetachedPool& files,
                                        std::stop_token stop) {
    const size_t program = program_index(job_.programs, rank);
    PmixService::Wanted wanted{bound_, env_value(request.env, pmix_store_variable), {}};
    co_await look(program, std::move(request), files, stop);
    const Offers::Offer& offer = offers_.of(program);
    const bool tools = job_.policies.tools;
    if ((!offer.pmix && !tools) || stop.stop_requested()) co_return Ok{};
    wanted.library = offer.needs.libpmix;
    co_await pmix_.open(std::move(wanted), stop);
    if (stop.stop_requested()) co_return Ok{};  // why it is not open is no news then
    if (tools) tell_no_tools();
    if (!offer.pmix) co_return Ok{};
    Status opened = pmix_.opened();
    if (!opened && offer.pmi) tell_no_pmix(opened.error());
    co_return offer.pmi ? Status(Ok{}) : std::move(opened);
}

/// Debuggers that know MPIR do without it.
void ModexService::tell_no_tools() {
    const auto why = pmix_.no_tools();
    if (!why || std::exchange(no_tools_told_, true)) return;
    host_.modex_notice("--tools: tools of PMIx cannot connect here: " + *why);
}

/// Programs that may speak either go on with the other.
void ModexService::tell_no_pmix(const Error& why) {
    if (std::exchange(no_pmix_told_, true)) return;
    host_.modex_notice("ranks can use PMI but not PMIx: " +
                       (why.operation.empty() ? "" : why.operation + ": ") + why.cause);
}

/// A program whose files are not answered for is offered what costs least.
awaitable<void> ModexService::look(size_t program, SpawnRequest request, DetachedPool& files,
                                   std::stop_token stop) {
    const auto needs = std::make_shared<PmiNeeds>();
    std::function<void()> work = [needs, request = std::move(request)]() mutable {
        *needs = Offers::look_at(std::move(request));
    };
    const bool done = co_await files.run(std::move(work), job_.policies.start_timeout, stop);
    PmiNeeds least;
    least.pmi = true;
    offers_.put(program, done ? std::move(*needs) : std::move(least));
}

Status ModexService::offer(uint32_t rank, SpawnRequest& request) {
    const size_t program = program_index(job_.programs, rank);
    ++silences_[program].awaited;
    const Offers::Offer& offer = offers_.of(program);
    if (offer.pmix) {
        Status offered = offer_pmix(rank, request);
        if (!offered && !offer.pmi) return offered;
        if (!offered) tell_no_pmix(offered.error());
        if (offered) add_mpich_protocol(request.env, offer.pmi);
    }
    return offer.pmi ? offer_pmi(rank, request) : Status(Ok{});
}

/// A rank may have come to the port before this is known here: its session runs then.
void ModexService::started(uint32_t rank) {
    if (inherited_.erase(rank) > 0) local_.run_session(rank);
}

void ModexService::not_started(uint32_t rank) {
    note_silence(rank, true);
    inherited_.erase(rank);
    port_.forget(rank);
    pmix_.ended(rank);
    local_.not_started(rank);
    if (!job_.policies.keep_going) return;
    look_for_absent(rank);
    local_.exchange().exited(rank);
    local_.exchange().died(rank);
    local_.settle();
}

std::optional<FaultMessage> ModexService::exited(uint32_t rank, const ExitStatus& status) {
    port_.forget(rank);
    const bool unfinished_pmix = pmix_.ended(rank);
    const bool unfinished_pmi = local_.exited(rank);
    const bool unfinished = unfinished_pmix || unfinished_pmi;
    std::optional<FaultMessage> fault;
    if (unfinished && status.success() && !job_.policies.keep_going)
        fault = FaultMessage{rank, FaultMessage::Kind::unfinished, 0, {}, {}};
    if (!fault && leaves_quietly(status)) {
        local_.exchange().exited(rank);
        if (unfinished || !status.success()) local_.exchange().died(rank);
        local_.settle();
    }
    if (!status.success() && local_.had_finalized(rank)) note_second(rank, status);
    const bool spoke = local_.spoke(rank) || pmix_.spoke(rank);
    note_silence(rank, spoke || !status.success());
    if (!spoke && leaves_quietly(status)) look_for_absent(rank);
    return fault;
}

/// Ends the job where a rank of Open MPI here waits in MPI_Init for one that has exited, also with
/// --keep-going: libpmix waits for the ranks of its own node by itself and says nothing, and
/// without one of them MPI_Init fails. The exchange knows of the ranks of other nodes. `more`: has
/// just gone.
void ModexService::look_for_absent(std::optional<uint32_t> more) {
    if (more) absent_.insert(*more);
    if (absent_.empty()) return;
    const auto joined = pmix_.joined();
    const bool in_init = std::any_of(joined.begin(), joined.end(), [this](uint32_t rank) {
        if (absent_.contains(rank)) return false;  // it was killed as it connected
        const PmiNeeds& needs = offers_.of(program_index(job_.programs, rank)).needs;
        return needs.pmix && !needs.library.empty();
    });
    if (!in_init) return;
    const auto count = static_cast<int32_t>(absent_.size());
    host_.modex_fault({*absent_.begin(), FaultMessage::Kind::absent, count, {}, {}});
    absent_.clear();
}

/// MPICH's finalize shuts the inherited socket down for whoever comes after it in the same rank.
void ModexService::note_second(uint32_t rank, const ExitStatus& status) {
    using Kind = ExitStatus::Kind;
    const bool by_signal = status.kind == Kind::signalled && status.value == SIGPIPE;
    const bool below_shell = status.kind == Kind::exited && status.value == 128 + SIGPIPE;
    if ((!by_signal && !below_shell) || job_.policies.pmi == PmiChoice::pmi1_port) return;
    host_.modex_notice(
        "rank " + std::to_string(rank) +
        " was ended by a broken pipe after finalize: to run several MPI programs in " +
        "one rank, try --pmi pmi1-port");
}

/// Says so when all ranks of a program that links an MPI library have exited and none has asked
/// us anything. `excused`: this one has, or has failed, which is a better clue.
void ModexService::note_silence(uint32_t rank, bool excused) {
    const size_t index = program_index(job_.programs, rank);
    const Program& program = job_.programs.at(index);
    Silence& silence = silences_[index];
    silence.excused = silence.excused || excused;
    if (--silence.awaited > 0 || silence.excused) return;
    const PmiNeeds& needs = offers_.of(index).needs;
    const std::string hint = silence_hint(program.ranks, needs.program, needs, job_.policies.pmi);
    if (!hint.empty()) host_.modex_notice(hint);
}

/// Once, at the end: strangers that come in numbers do not fill the user's screen.
void ModexService::tell_refused() {
    const uint64_t count = port_.refused();
    if (count == 0) return;
    host_.modex_notice(
        "refused " + std::to_string(count) + (count == 1 ? " connection" : " connections") +
        " to the PMI port: the caller is not a rank of this job, or is already connected");
}

awaitable<void> ModexService::close() {
    co_await port_.close();
    tell_refused();
    co_await local_.close();
    co_await pmix_.close();
}

}  // namespace

ModexFactory modex_service_factory(PmixLibrary pmix) {
    reserve_late_variables(most_pmix_variables);
    return [shared = std::make_shared<RootDesk>(), pmix = std::move(pmix)](
               any_io_executor executor, const JobMessage& job, ModexHost& host) {
        return std::make_unique<ModexService>(std::move(executor), job, host, shared, pmix);
    };
}

}  // namespace launch
