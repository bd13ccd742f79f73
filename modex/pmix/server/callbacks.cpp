// SPDX-License-Identifier: MIT
#include "modex/pmix/server/callbacks.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "modex/pmix/server/collective_service.hpp"
#include "modex/pmix/server/data_reply.hpp"
#include "modex/pmix/server/event_packet.hpp"
#include "modex/pmix/server/inboxes.hpp"
#include "modex/pmix/server/info_list.hpp"
#include "modex/pmix/server/name_service.hpp"
#include "modex/pmix/server/query_answers.hpp"
#include "modex/pmix/server/spawn_service.hpp"
#include "modex/pmix/server/tools.hpp"

namespace launch {
namespace {

/// The inbox of the job of this process.
std::shared_ptr<Inbox> inbox_of(const pmix_proc_t* proc) {
    return inboxes().find(proc->nspace);
}

pmix_status_t client_connected(const pmix_proc_t* proc, void*, pmix_op_cbfunc_t, void*) {
    const auto inbox = inbox_of(proc);
    if (inbox == nullptr) return PMIX_ERR_NOT_FOUND;
    inbox->post([rank = proc->rank](PmixEvents& events) { events.pmix_joined(rank); });
    return PMIX_OPERATION_SUCCEEDED;
}

/// From release 4 on, in place of the one above.
pmix_status_t client_connected2(const pmix_proc_t* proc, void* client, pmix_info_t*, size_t,
                                pmix_op_cbfunc_t answer, void* cookie) {
    return client_connected(proc, client, answer, cookie);
}

pmix_status_t client_finalized(const pmix_proc_t* proc, void*, pmix_op_cbfunc_t, void*) {
    if (tool_left(*proc)) return PMIX_OPERATION_SUCCEEDED;
    const auto inbox = inbox_of(proc);
    if (inbox == nullptr) return PMIX_ERR_NOT_FOUND;
    inbox->post([rank = proc->rank](PmixEvents& events) { events.pmix_finalized(rank); });
    return PMIX_OPERATION_SUCCEEDED;
}

/// Whichever ranks the caller wants dead: an abort ends the job. The caller is held until the job
/// knows, so that its own exit does not come first.
pmix_status_t abort_job(const pmix_proc_t* proc, void*, int status, const char* message,
                        pmix_proc_t*, size_t, pmix_op_cbfunc_t answer, void* cookie) {
    const auto inbox = inbox_of(proc);
    if (inbox == nullptr) return PMIX_ERR_NOT_FOUND;
    inbox->post([inbox, rank = proc->rank, status,
                 text = std::string(message == nullptr ? "" : message), answer,
                 cookie](PmixEvents& events) {
        events.pmix_abort(rank, status, text);
        if (inbox->is_open()) answer(PMIX_SUCCESS, cookie);
    });
    return PMIX_SUCCESS;
}

/// The members of a group, ascending, each once however often it is named; empty: the whole job.
/// False: not all are ranks of this job.
bool group_of(const Inbox& inbox, const pmix_proc_t* procs, size_t count,
              std::vector<uint32_t>& ranks) {
    for (size_t i = 0; i < count; ++i) {
        if (inbox.nspace() != procs[i].nspace) return false;
        if (procs[i].rank == PMIX_RANK_WILDCARD) {
            ranks.clear();
            return true;
        }
        ranks.push_back(procs[i].rank);
    }
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return std::all_of(ranks.begin(), ranks.end(),
                       [](auto rank) { return PMIX_RANK_IS_VALID(rank); });
}

bool of_one_job(const pmix_proc_t* procs, size_t count) {
    return std::all_of(procs, procs + count, [&](const pmix_proc_t& proc) {
        return std::string_view(proc.nspace) == procs->nspace;
    });
}

/// Takes over what a fence contributes: libpmix leaves it to its host to free the memory.
std::string take_contribution(char* data, size_t size) {
    std::string contribution(data != nullptr ? std::string_view(data, size) : "");
    std::free(data);  // NOLINT(cppcoreguidelines-no-malloc): libpmix allocated it
    return contribution;
}

pmix_status_t fence(const pmix_proc_t* procs, size_t count, const pmix_info_t* infos,
                    size_t info_count, char* data, size_t size, pmix_modex_cbfunc_t answer,
                    void* cookie) {
    auto inbox = count == 0 ? nullptr : inbox_of(procs);
    std::vector<uint32_t> ranks;
    const bool collect = has_flag(infos, info_count, PMIX_COLLECT_DATA);
    std::string contribution = take_contribution(data, size);
    if (!collect) contribution.clear();
    if (!of_one_job(procs, count))
        return fence_members(procs, count, infos, info_count, std::move(contribution), answer,
                             cookie);
    if (inbox == nullptr || !group_of(*inbox, procs, count, ranks)) return PMIX_ERR_NOT_SUPPORTED;
    inbox->post([ranks = std::move(ranks), contribution = std::move(contribution), collect,
                 done = DataReply(inbox, answer, cookie)](PmixEvents& events) mutable {
        events.pmix_fence(ranks, std::move(contribution), collect, std::move(done));
    });
    return PMIX_SUCCESS;
}

/// Fetches from a job without ranks here, through a job that has met it.
pmix_status_t fetch_of(const pmix_proc_t* proc, pmix_modex_cbfunc_t answer, void* cookie) {
    auto inbox = inboxes().find_acquaintance(proc->nspace);
    if (inbox == nullptr) return PMIX_ERR_NOT_FOUND;
    inbox->post([nspace = std::string(proc->nspace), rank = proc->rank,
                 done = DataReply(inbox, answer, cookie)](PmixEvents& events) mutable {
        events.pmix_fetch_of(nspace, rank, std::move(done));
    });
    return PMIX_SUCCESS;
}

pmix_status_t fetch(const pmix_proc_t* proc, const pmix_info_t*, size_t, pmix_modex_cbfunc_t answer,
                    void* cookie) {
    if (!PMIX_RANK_IS_VALID(proc->rank)) return PMIX_ERR_NOT_FOUND;
    auto inbox = inbox_of(proc);
    if (inbox == nullptr) return fetch_of(proc, answer, cookie);
    inbox->post([rank = proc->rank, done = DataReply(inbox, answer, cookie)](
                    PmixEvents& events) mutable { events.pmix_fetch(rank, std::move(done)); });
    return PMIX_SUCCESS;
}

pmix_status_t publish(const pmix_proc_t* proc, const pmix_info_t* infos, size_t count,
                      pmix_op_cbfunc_t answer, void* cookie) {
    const auto inbox = inbox_of(proc);
    if (inbox == nullptr) return PMIX_ERR_NOT_FOUND;
    return publish_names(*inbox, *proc, infos, count, answer, cookie);
}

pmix_status_t lookup(const pmix_proc_t* proc, char** keys, const pmix_info_t* infos, size_t count,
                     pmix_lookup_cbfunc_t answer, void* cookie) {
    const auto inbox = inbox_of(proc);
    if (inbox == nullptr) return PMIX_ERR_NOT_FOUND;
    return lookup_names(*inbox, proc->rank, keys, infos, count, answer, cookie);
}

pmix_status_t unpublish(const pmix_proc_t* proc, char** keys, const pmix_info_t*, size_t,
                        pmix_op_cbfunc_t answer, void* cookie) {
    const auto inbox = inbox_of(proc);
    if (inbox == nullptr) return PMIX_ERR_NOT_FOUND;
    return unpublish_names(*inbox, proc->rank, keys, answer, cookie);
}

pmix_status_t spawn(const pmix_proc_t* proc, const pmix_info_t* infos, size_t count,
                    const pmix_app_t* apps, size_t app_count, pmix_spawn_cbfunc_t answer,
                    void* cookie) {
    if (const auto inbox = inbox_of(proc))
        return spawn_processes(*inbox, proc->rank, infos, count, apps, app_count, answer, cookie);
    const auto inbox = job_of_tool(*proc);
    if (inbox == nullptr || inbox->local_ranks().empty()) return PMIX_ERR_NOT_FOUND;
    const uint32_t rank = inbox->local_ranks().front();
    return spawn_processes(*inbox, rank, infos, count, apps, app_count, answer, cookie);
}

/// libpmix itself knows which ranks of this node want which events; there is nothing to add here.
pmix_status_t register_events(pmix_status_t*, size_t, const pmix_info_t*, size_t, pmix_op_cbfunc_t,
                              void*) {
    return PMIX_OPERATION_SUCCEEDED;
}

pmix_status_t deregister_events(pmix_status_t*, size_t, pmix_op_cbfunc_t, void*) {
    return PMIX_OPERATION_SUCCEEDED;
}

/// The jobs here whose ranks an event may be for: its source's; of a tool's event those of the
/// processes that it names, or all that want tools.
std::vector<std::shared_ptr<Inbox>> jobs_to_tell(const pmix_proc_t& source,
                                                 const pmix_info_t* infos, size_t count) {
    if (auto own = inbox_of(&source)) return {std::move(own)};
    if (!tools().contains(source)) return {};
    std::vector<std::shared_ptr<Inbox>> jobs;
    const auto add = [&jobs](std::shared_ptr<Inbox> job) {
        if (job == nullptr || !job->takes_tools() || job->local_ranks().empty()) return;
        if (std::find(jobs.begin(), jobs.end(), job) == jobs.end()) jobs.push_back(std::move(job));
    };
    for (const pmix_proc_t& proc : procs_in(infos, count, PMIX_EVENT_CUSTOM_RANGE))
        add(inbox_of(&proc));
    if (!jobs.empty()) return jobs;
    for (auto& job : inboxes().all())
        add(job);
    return jobs;
}

/// libpmix has told the ranks of this node already.
pmix_status_t notify_event(pmix_status_t code, const pmix_proc_t* source, pmix_data_range_t range,
                           pmix_info_t* infos, size_t count, pmix_op_cbfunc_t, void*) {
    const auto own = inbox_of(source);
    const bool waits = range == PMIX_RANGE_RM || code == PMIX_READY_FOR_DEBUG;
    if (waits && own != nullptr && own->takes_tools())
        tell_tools(own->lib(), code, *source, infos, count);
    if (!concerns_other_nodes(range)) return PMIX_OPERATION_SUCCEEDED;
    for (const auto& inbox : jobs_to_tell(*source, infos, count)) {
        auto data = pack_event(inbox->lib(), {code, *source, range, infos, count});
        if (!data) return PMIX_ERR_PACK_FAILURE;
        const auto rank = inbox == own ? std::optional(source->rank) : std::nullopt;
        inbox->post([rank, data = std::move(*data)](PmixEvents& events) mutable {
            events.pmix_event(rank, std::move(data));
        });
    }
    return PMIX_OPERATION_SUCCEEDED;
}

/// Here for what libpmix does itself as long as this function exists: it removes the files that a
/// rank has named (Open MPI's, in /dev/shm) when the rank ends without doing so.
pmix_status_t job_control(const pmix_proc_t*, const pmix_proc_t*, size_t, const pmix_info_t*,
                          size_t, pmix_info_cbfunc_t, void*) {
    return PMIX_ERR_NOT_SUPPORTED;
}

/// Groups of one node's ranks libpmix 4.2 makes itself, unless they are to have a number; and it
/// takes "all ranks" (the wildcard) for such a group. It does not ask us then.
pmix_status_t group(pmix_group_operation_t operation, char* name, const pmix_proc_t* procs,
                    size_t count, const pmix_info_t* infos, size_t info_count,
                    pmix_info_cbfunc_t answer, void* cookie) {
    return group_members(operation, name, procs, count, infos, info_count, answer, cookie);
}

/// libpmix 4.2 says that the server asks, not which rank.
pmix_status_t query(pmix_proc_t*, pmix_query_t* queries, size_t count, pmix_info_cbfunc_t answer,
                    void* cookie) {
    const auto all = inboxes().all();
    if (all.empty()) return PMIX_ERR_NOT_SUPPORTED;
    return answer_queries(all, queries, count, answer, cookie);
}

/// Before release 4 libpmix knows the answer only by its function.
pmix_status_t pull_output_of_release_3(const pmix_proc_t* procs, size_t count,
                                       const pmix_info_t* infos, size_t info_count,
                                       pmix_iof_channel_t channels, pmix_op_cbfunc_t answer,
                                       void* cookie) {
    const auto status = pull_output(procs, count, infos, info_count, channels, answer, cookie);
    if (status != PMIX_OPERATION_SUCCEEDED) return status;
    answer(PMIX_SUCCESS, cookie);
    return PMIX_SUCCESS;
}

/// libpmix 6.1 ends the process where a rank logs and this function is missing.
void refuse_log(const pmix_proc_t*, const pmix_info_t*, size_t, const pmix_info_t*, size_t,
                pmix_op_cbfunc_t answer, void* cookie) {
    if (answer != nullptr) answer(PMIX_ERR_NOT_SUPPORTED, cookie);
}

}  // namespace

/// libpmix answers a function that is null here with PMIX_ERR_NOT_SUPPORTED.
CallbackTable callback_table(int release, bool tools) {
    CallbackTable table;
    table.module.client_connected = client_connected;
    if (release >= 4) table.module.client_connected2 = client_connected2;
    if (release >= 6) table.module.log = refuse_log;
    table.module.client_finalized = client_finalized;
    table.module.abort = abort_job;
    table.module.fence_nb = fence;
    table.module.direct_modex = fetch;
    table.module.publish = publish;
    table.module.lookup = lookup;
    table.module.unpublish = unpublish;
    table.module.spawn = spawn;
    table.module.connect = connect_members;
    table.module.disconnect = disconnect_members;
    table.module.group = group;
    table.module.query = query;
    if (tools) {
        table.module.tool_connected = admit_tool;
        table.module.iof_pull = release >= 4 ? pull_output : pull_output_of_release_3;
    }
    table.module.register_events = register_events;
    table.module.deregister_events = deregister_events;
    table.module.notify_event = notify_event;
    table.module.job_control = job_control;
    return table;
}

}  // namespace launch
