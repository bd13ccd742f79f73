// SPDX-License-Identifier: MIT
#include "modex/pmix/server/query_answers.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/base/list_text.hpp"
#include "modex/pmix/server/inboxes.hpp"
#include "modex/pmix/server/info_list.hpp"
#include "modex/pmix/server/process_server.hpp"

namespace launch {
namespace {

/// A table that a query asks for.
struct TableQuery {
    std::string key;
    std::shared_ptr<Inbox> job;

    bool local() const { return key == PMIX_QUERY_LOCAL_PROC_TABLE; }
};

/// The answer to several queries, until all parts of it are there. It belongs to the executor's
/// thread.
class QueryAnswer {
  public:
    QueryAnswer(pmix_info_cbfunc_t answer, void* cookie) : answer_(answer), cookie_(cookie) {}

    void add_key(const std::string& key, const pmix_query_t& query,
                 const std::vector<std::shared_ptr<Inbox>>& jobs);
    bool has_any() const { return infos_->size() > 0 || !tables_.empty(); }

    /// Asks for the tables, and answers when each has come or will not.
    static void complete(const std::shared_ptr<QueryAnswer>& self);

  private:
    void add_table(const TableQuery& query, const std::vector<PmixProcess>& processes);
    void part_done();

    std::unique_ptr<InfoList> infos_ = std::make_unique<InfoList>();
    std::vector<TableQuery> tables_;
    size_t asked_ = 0;
    size_t open_ = 1;  ///< parts that are still to come; one is complete() itself
    pmix_info_cbfunc_t answer_;
    void* cookie_;
};

/// The job that the query names; else the only one.
std::shared_ptr<Inbox> job_of(const pmix_query_t& query,
                              const std::vector<std::shared_ptr<Inbox>>& jobs) {
    for (size_t i = 0; i < query.nqual; ++i) {
        if (std::string_view(query.qualifiers[i].key) != PMIX_NSPACE) continue;
        const char* const nspace = text_in(query.qualifiers[i].value);
        return nspace == nullptr ? nullptr : inboxes().find(nspace);
    }
    return jobs.size() == 1 ? jobs.front() : nullptr;
}

void QueryAnswer::add_key(const std::string& key, const pmix_query_t& query,
                          const std::vector<std::shared_ptr<Inbox>>& jobs) {
    ++asked_;
    if (key == PMIX_QUERY_NAMESPACES) {
        std::string nspaces;
        for (const auto& job : jobs)
            append_part(nspaces, ",", job->nspace());
        infos_->add_string(key, nspaces);
    } else if (key == PMIX_QUERY_NUM_PSETS || key == PMIX_QUERY_NUM_GROUPS) {
        infos_->add_size(key, 0);
    } else if (key == PMIX_QUERY_PSET_NAMES) {
        infos_->add_string(key, "");
    } else if (key == PMIX_QUERY_PROC_TABLE || key == PMIX_QUERY_LOCAL_PROC_TABLE) {
        auto job = job_of(query, jobs);
        if (job != nullptr && job->takes_tools()) tables_.push_back({key, std::move(job)});
    }
}

void QueryAnswer::add_table(const TableQuery& query, const std::vector<PmixProcess>& processes) {
    std::vector<pmix_proc_info_t> table;
    for (const PmixProcess& process : processes) {
        pmix_proc_info_t& info = table.emplace_back();
        info.proc = make_proc(query.job->nspace(), process.rank);
        info.hostname = infos_->keep(process.host).data();
        info.executable_name = infos_->keep(process.program).data();
        info.pid = static_cast<pid_t>(process.pid);
        info.state = PMIX_PROC_STATE_RUNNING;
    }
    infos_->add_proc_infos(query.key, std::move(table));
}

void QueryAnswer::complete(const std::shared_ptr<QueryAnswer>& self) {
    for (const TableQuery& query : self->tables_) {
        Inbox& job = *query.job;
        if (!job.is_open()) continue;
        ++self->open_;
        const uint64_t owed = job.owe([self] { self->part_done(); });
        job.events().pmix_table(
            query.local(), [self, query, owed](const Result<std::vector<PmixProcess>>& processes) {
                if (!query.job->pay(owed)) return;
                if (processes) self->add_table(query, *processes);
                self->part_done();
            });
    }
    self->part_done();
}

/// Nobody knows whose rank asks: any job may end meanwhile, and the rank of another one would wait
/// for ever. Once all have, libpmix ends, unless it stays for later jobs.
void QueryAnswer::part_done() {
    if (--open_ > 0) return;
    if (inboxes().all().empty() && ProcessServer::kept_folder().empty()) return;
    const auto status = infos_->size() == asked_ ? PMIX_SUCCESS : PMIX_ERR_PARTIAL_SUCCESS;
    auto* const list = infos_.release();
    if (list->size() > 0)
        return answer_(status, list->data(), list->size(), cookie_, delete_info_list, list);
    delete_info_list(list);
    answer_(PMIX_ERR_NOT_FOUND, nullptr, 0, cookie_, nullptr, nullptr);
}

}  // namespace

pmix_status_t answer_queries(const std::vector<std::shared_ptr<Inbox>>& jobs,
                             const pmix_query_t* queries, size_t count, pmix_info_cbfunc_t answer,
                             void* cookie) {
    auto all = std::make_shared<QueryAnswer>(answer, cookie);
    for (size_t i = 0; i < count; ++i)
        for (char** key = queries[i].keys; key != nullptr && *key != nullptr; ++key)
            all->add_key(*key, queries[i], jobs);
    if (!all->has_any()) return PMIX_ERR_NOT_SUPPORTED;
    // libpmix wants no answer before this returns.
    asio::post(jobs.front()->executor(), [all] { QueryAnswer::complete(all); });
    return PMIX_SUCCESS;
}

}  // namespace launch
