// SPDX-License-Identifier: MIT
#include "modex/pmix/pmix_server.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <pwd.h>
#include <unistd.h>

#include "core/base/environment.hpp"
#include "core/base/late_variables.hpp"
#include "modex/pmix/server/callbacks.hpp"
#include "modex/pmix/server/event_packet.hpp"
#include "modex/pmix/server/folder.hpp"
#include "modex/pmix/server/inboxes.hpp"
#include "modex/pmix/server/job_info.hpp"
#include "modex/pmix/server/open_mpi.hpp"
#include "modex/pmix/server/pending_fetches.hpp"
#include "modex/pmix/server/process_server.hpp"
#include "modex/pmix/server/regex_bytes.hpp"
#include "modex/pmix/server/status.hpp"

namespace launch {
namespace {

/// Copies and frees a string that libpmix allocated.
std::string take_text(char* text) {
    std::string copy(text == nullptr ? "" : text);
    std::free(text);
    return copy;
}

std::string take_regex(char* regex) {
    std::string copy = regex == nullptr ? std::string() : regex_bytes(regex);
    std::free(regex);
    return copy;
}

/// Adds "NAME=VALUE" entries, each instead of what has its name. Frees what libpmix allocated.
void take_env(char** added, std::vector<std::string>& env) {
    for (char** entry = added; entry != nullptr && *entry != nullptr; ++entry) {
        std::string text = take_text(*entry);
        const std::string name = text.substr(0, text.find('=') + 1);
        std::erase_if(env, [&](const auto& other) { return other.starts_with(name); });
        env.push_back(std::move(text));
    }
    std::free(added);
}

/// With those above it.
Status make_folders(const std::string& path) {
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error) return os_error("make folder " + path, error.value());
    return Ok{};
}

std::vector<uint32_t> local_ranks_of(const PmixJob& job) {
    std::vector<uint32_t> ranks;
    for_each_rank(job.ranks[job.node], [&](uint32_t rank) { ranks.push_back(rank); });
    std::sort(ranks.begin(), ranks.end());
    return ranks;
}

/// A job's part of libpmix.
class JobServer final : public PmixServer {
  public:
    /// `folder`: of the job, where the server has another one.
    JobServer(any_io_executor executor, std::shared_ptr<ProcessServer> server,
              std::unique_ptr<PrivateFolder> folder, const PmixJob& job, PmixEvents& events)
        : server_(std::move(server)),
          lib_(server_->shared_lib()),
          folder_(std::move(folder)),
          folders_(job.folders),
          open_mpi_settings_(open_mpi_settings(job)),
          inbox_(std::make_shared<Inbox>(std::move(executor), lib_, job.nspace, local_ranks_of(job),
                                         events, job.tools && server_->serves_tools(),
                                         !job.spawner.empty())),
          rounds_(std::make_shared<Rounds>(inbox_)),
          fetches_(std::make_shared<PendingFetches>(inbox_, rounds_)) {}
    JobServer(const JobServer&) = delete;
    JobServer& operator=(const JobServer&) = delete;
    ~JobServer() override;

    Status open(const PmixJob& job);
    Status meet(const PmixJob& other) override;
    void part(const std::string& nspace) override;
    Status rank_env(uint32_t rank, std::vector<std::string>& env) override;
    void leave_out_own_settings(std::vector<std::string>& env) const override;
    void fetch_local(uint32_t rank, PmixEvents::Done done) override {
        fetches_->ask(rank, std::move(done));
    }
    void give_up_fetches(uint32_t rank) override { fetches_->give_up(rank); }
    void stop_waiting_for(uint32_t rank) override;
    void notify_died(uint32_t rank) override;
    void tell_event(const std::string& data) override { tell_packed_event(*lib_, data); }
    bool serves_tools() const override { return server_->serves_tools(); }
    void pass_output(uint32_t rank, bool is_error, std::string_view bytes) const override;
    std::function<void()> end() override;
    void remove_files() override;

  private:
    struct Maps {
        std::string nodes;
        std::string ranks;
    };
    Result<Maps> maps_of(const PmixJob& job) const;
    Status register_job(const PmixJob& job);
    Status register_clients();
    void expect_one_less(uint32_t rank);

    std::shared_ptr<ProcessServer> server_;  ///< null: what end() returned has it
    std::shared_ptr<const LibPmix> lib_;
    std::shared_ptr<PrivateFolder> folder_;  ///< as the server
    PmixFolders folders_;
    std::vector<std::string> open_mpi_settings_;
    std::shared_ptr<Inbox> inbox_;
    std::shared_ptr<Rounds> rounds_;
    std::shared_ptr<PendingFetches> fetches_;
    InfoList only_number_;      ///< of what is registered, the number of ranks is new
    uint32_t local_ranks_ = 0;  ///< that libpmix expects
    bool open_ = false;
    std::shared_ptr<std::atomic<bool>> ended_ = std::make_shared<std::atomic<bool>>();
};

Status JobServer::open(const PmixJob& job) {
    inboxes().add(inbox_);
    open_ = true;
    const Status made = make_folders(folders_.memory());
    return made ? register_job(job) : made;
}

Result<JobServer::Maps> JobServer::maps_of(const PmixJob& job) const {
    Maps maps;
    char* packed = nullptr;
    auto status = lib_->PMIx_generate_regex(node_list(job).c_str(), &packed);
    if (!succeeded(status)) return refused(*lib_, "PMIx_generate_regex", status);
    maps.nodes = take_regex(packed);
    status = lib_->PMIx_generate_ppn(rank_lists(job).c_str(), &packed);
    if (!succeeded(status)) return refused(*lib_, "PMIx_generate_ppn", status);
    maps.ranks = take_regex(packed);
    return maps;
}

/// libpmix derives hosts of the other's ranks from its maps; none of them is here.
Status JobServer::meet(const PmixJob& other) {
    if (other.nspace == inbox_->nspace() || !inboxes().meet(inbox_, other.nspace)) return Ok{};
    const auto maps = maps_of(other);
    if (!maps) return maps.error();
    auto infos = met_job_info(other, maps->nodes, maps->ranks);
    const pmix_proc_t all = make_proc(other.nspace, PMIX_RANK_WILDCARD);
    const auto status = lib_->PMIx_server_register_nspace(all.nspace, 0, infos.data(), infos.size(),
                                                          nullptr, nullptr);
    if (!succeeded(status)) return refused(*lib_, "PMIx_server_register_nspace", status);
    return Ok{};
}

void JobServer::part(const std::string& nspace) {
    if (nspace == inbox_->nspace() || !inboxes().part(*inbox_, nspace)) return;
    const pmix_proc_t all = make_proc(nspace, PMIX_RANK_WILDCARD);
    const auto done = [](pmix_status_t, void*) {};
    lib_->PMIx_server_deregister_nspace(all.nspace, done, nullptr);
}

Status JobServer::register_job(const PmixJob& job) {
    const auto maps = maps_of(job);
    if (!maps) return maps.error();
    auto infos = job_info(job, maps->nodes, maps->ranks);
    only_number_.add_flag(PMIX_REGISTER_NODATA, true);
    const pmix_proc_t all = make_proc(job.nspace, PMIX_RANK_WILDCARD);
    local_ranks_ = local_size(job.ranks[job.node]);
    const auto status = lib_->PMIx_server_register_nspace(
        all.nspace, static_cast<int>(local_ranks_), infos.data(), infos.size(), nullptr, nullptr);
    if (!succeeded(status)) return refused(*lib_, "PMIx_server_register_nspace", status);
    return register_clients();
}

/// Registers all ranks of this node at once, before the first one starts. Where a collective of
/// several jobs begins between two registrations, libpmix (4.2 to 5.0) counts only the last of the
/// ranks as its members, and never ends it.
Status JobServer::register_clients() {
    for (const uint32_t rank : inbox_->local_ranks()) {
        const pmix_proc_t proc = make_proc(inbox_->nspace(), rank);
        const auto status = lib_->PMIx_server_register_client(&proc, geteuid(), getegid(), nullptr,
                                                              nullptr, nullptr);
        if (!succeeded(status)) return refused(*lib_, "PMIx_server_register_client", status);
    }
    return Ok{};
}

Status JobServer::rank_env(uint32_t rank, std::vector<std::string>& env) {
    const pmix_proc_t proc = make_proc(inbox_->nspace(), rank);
    char** added = nullptr;
    const auto status = lib_->PMIx_server_setup_fork(&proc, &added);
    take_env(added, env);
    // PMIX_PROCDIR: Open MPI 5 takes it to be there.
    const Status made = make_folders(folders_.of_rank(rank));
    if (!made) return made;
    add_open_mpi_settings(env, open_mpi_settings_);
    // The rank's must be the server's, which another job may have chosen.
    const char* const store = std::getenv(pmix_store_variable);  // NOLINT(concurrency-mt-unsafe)
    if (store != nullptr) set_env(env, pmix_store_variable, store);
    if (!succeeded(status)) return refused(*lib_, "PMIx_server_setup_fork", status);
    return Ok{};
}

void JobServer::leave_out_own_settings(std::vector<std::string>& env) const {
    std::erase_if(env, [this](const std::string& entry) {
        const auto& own = open_mpi_settings_;
        return std::find(own.begin(), own.end(), entry) != own.end();
    });
}

void JobServer::stop_waiting_for(uint32_t rank) {
    fetches_->keep(rank);
    // That its connection has ended libpmix learns by itself, and then waits for it no longer in
    // fences that others are in; were the rank taken out before, it would never.
    rounds_->after_messages([this, rank] { expect_one_less(rank); });
}

/// Tells libpmix to expect one rank less: in a fence it waits for every rank that it expects here,
/// also for one that is long gone.
void JobServer::expect_one_less(uint32_t rank) {
    if (local_ranks_ == 0) return;
    const pmix_proc_t gone = make_proc(inbox_->nspace(), rank);
    // A function to call: else libpmix holds this thread until its own has got to it.
    const auto done = [](pmix_status_t, void*) {};
    lib_->PMIx_server_deregister_client(&gone, done, nullptr);
    lib_->PMIx_server_register_nspace(gone.nspace, static_cast<int>(--local_ranks_),
                                      only_number_.data(), only_number_.size(), done, nullptr);
}

void JobServer::notify_died(uint32_t rank) {
    const pmix_proc_t dead = make_proc(inbox_->nspace(), rank);
    InfoList infos;
    infos.add_proc(PMIX_EVENT_AFFECTED_PROC, dead);
    infos.add_flag(PMIX_EVENT_NON_DEFAULT, true);
    const auto told = [](pmix_status_t, void*) {};
    lib_->PMIx_Notify_event(PMIX_ERR_PROC_ABORTED, &dead, PMIX_RANGE_NAMESPACE, infos.data(),
                            infos.size(), told, nullptr);
}

void JobServer::pass_output(uint32_t rank, bool is_error, std::string_view bytes) const {
    struct Passed {
        pmix_proc_t source;
        std::string text;
        pmix_byte_object_t object;
    };
    auto passed = std::make_unique<Passed>();
    passed->source = make_proc(inbox_->nspace(), rank);
    passed->text = bytes;
    passed->object = {.bytes = passed->text.data(), .size = passed->text.size()};
    Passed* const cookie = passed.release();
    const auto done = [](pmix_status_t, void* read) { delete static_cast<Passed*>(read); };
    const pmix_iof_channel_t channel = is_error ? PMIX_FWD_STDERR_CHANNEL : PMIX_FWD_STDOUT_CHANNEL;
    const auto status = lib_->PMIx_server_IOF_deliver(&cookie->source, channel, &cookie->object,
                                                      nullptr, 0, done, cookie);
    if (status != PMIX_SUCCESS) delete cookie;
}

std::function<void()> JobServer::end() {
    if (!open_) return [] {};
    open_ = false;
    std::vector<std::string> over = inboxes().remove(*inbox_);
    over.push_back(inbox_->nspace());
    inbox_->close();
    return [server = std::exchange(server_, nullptr), stays = !folders_.shared.empty(),
            over = std::move(over), ended = ended_,
            folder = std::exchange(folder_, nullptr)]() mutable {
        for (const std::string& nspace : over) {
            if (!stays) break;
            // Without a function to call it waits until libpmix has got to it.
            const pmix_proc_t all = make_proc(nspace, PMIX_RANK_WILDCARD);
            server->lib().PMIx_server_deregister_nspace(all.nspace, nullptr, nullptr);
        }
        server.reset();
        *ended = true;
        folder.reset();
    };
}

void JobServer::remove_files() {
    std::error_code ignored;
    std::filesystem::remove_all(folders_.top, ignored);
}

/// Where libpmix has not come to its end, it may still answer what it was asked: that stays.
JobServer::~JobServer() {
    const std::function<void()> rest = end();
    rest();
    if (!*ended_) return;
    rounds_->close();
    fetches_->close();
}

/// "hash": ranks ask this process for each other's data. In shared memory (ds21, ds12) they would
/// find them without that, but libpmix 4.2 ends the server where a rank publishes more than 4 MiB,
/// and hangs where one is killed while it looks (openpmix issue 1233).
void set_up_environment(const std::string& store) {
    set_late_variable(pmix_store_variable, store.empty() ? "hash" : store);
    // libpmix keeps output that no tool wants any more: a million pieces, where nobody says less.
    set_late_variable("PMIX_MCA_pmix_max_iof_cache", "16");
    // libpmix 4.2 reads the home folder of the password file's entry, even if there is no entry.
    if (std::getenv("HOME") == nullptr && getpwuid(geteuid()) == nullptr)
        set_late_variable("HOME", "/");
}

Result<std::unique_ptr<PmixServer>> start(any_io_executor executor, PmixJob job,
                                          PmixEvents& events) {
    auto server = ProcessServer::get(job);
    if (!server) return server.error();
    std::unique_ptr<PrivateFolder> own;
    if (!job.folders.shared.empty()) {
        auto folder = PrivateFolder::make(job.folders.top);
        if (!folder) return folder.error();
        own = std::make_unique<PrivateFolder>(std::move(*folder));
    }
    auto its = std::make_unique<JobServer>(std::move(executor), *std::move(server), std::move(own),
                                           job, events);
    if (auto opened = its->open(job); !opened) return opened.error();
    return std::unique_ptr<PmixServer>(std::move(its));
}

}  // namespace

PmixLibrary libpmix() {
    return {set_up_environment, ProcessServer::kept_folder, start};
}

}  // namespace launch
