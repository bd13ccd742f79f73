// SPDX-License-Identifier: MIT
#include "modex/pmix/server/collective_service.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "modex/pmix/server/data_reply.hpp"
#include "modex/pmix/server/inboxes.hpp"
#include "modex/pmix/server/info_list.hpp"

namespace launch {
namespace {

/// Ascending, each once however often it is named. Empty: not all are processes.
SpaceMemberList members_of(const pmix_proc_t* procs, size_t count) {
    std::map<std::string, SpaceMembers> by_space;
    for (size_t i = 0; i < count; ++i) {
        SpaceMembers& members = by_space[procs[i].nspace];
        const bool all = procs[i].rank == PMIX_RANK_WILDCARD;
        if (!all && !PMIX_RANK_IS_VALID(procs[i].rank)) return {};
        members.all = members.all || all;
        members.ranks.push_back(procs[i].rank);
    }
    SpaceMemberList list;
    for (auto& [space, members] : by_space) {
        auto& ranks = members.ranks;
        members.space = space;
        if (members.all) ranks.clear();
        std::sort(ranks.begin(), ranks.end());
        ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
        list.push_back(std::move(members));
    }
    return list;
}

/// The members among these that run here.
SpaceMembers local_part(const SpaceMembers& members, const Inbox& inbox) {
    SpaceMembers here{.space = members.space, .all = false, .ranks = {}};
    for (const uint32_t rank : inbox.local_ranks())
        if (members.all || std::binary_search(members.ranks.begin(), members.ranks.end(), rank))
            here.ranks.push_back(rank);
    return here;
}

/// A request, and the job here that made it.
struct Asked {
    std::shared_ptr<Inbox> inbox;  ///< of one of the jobs that have members here; null: none has
    PmixCollective request;
};

/// The time that a request may take. libpmix has a timer of its own for it, which stops when our
/// answer comes first; if both answer, the rank's library prints "UNEXPECTED MESSAGE". So ours
/// comes earlier, by more than an answer takes from the root on a busy machine.
std::chrono::milliseconds limit_of(const pmix_info_t* infos, size_t count) {
    constexpr std::chrono::milliseconds ahead{300};
    const std::chrono::seconds limit(number_of(infos, count, PMIX_TIMEOUT).value_or(0));
    return limit.count() > 0 ? limit - ahead : std::chrono::milliseconds{};
}

Asked take(Collective::Kind kind, const char* name, const pmix_proc_t* procs, size_t count,
           const pmix_info_t* infos, size_t info_count) {
    Asked asked;
    PmixCollective& request = asked.request;
    request.collective = {kind, name == nullptr ? "" : name, members_of(procs, count)};
    for (const SpaceMembers& members : request.collective.members) {
        auto inbox = inboxes().find(members.space);
        if (inbox == nullptr) continue;
        SpaceMembers here = local_part(members, *inbox);
        if (here.ranks.empty()) continue;
        request.part.present.push_back(std::move(here));
        if (asked.inbox == nullptr) asked.inbox = std::move(inbox);
    }
    request.limit = limit_of(infos, info_count);
    return asked;
}

pmix_status_t status_of(const Error& error) {
    switch (error.kind) {
        case ErrorKind::timed_out: return PMIX_ERR_TIMEOUT;
        case ErrorKind::usage: return PMIX_ERR_BAD_PARAM;
        case ErrorKind::not_found: return PMIX_ERR_NOT_FOUND;
        default: return PMIX_ERR_PROC_TERM_WO_SYNC;
    }
}

/// Asks in the name of one job, and calls `done` once: with an error if that job ends before, since
/// ranks of other jobs here wait for the same answer. Not if no job is left, as libpmix ends then.
void ask_for_all(Asked asked, PmixEvents::CollectiveDone done) {
    const any_io_executor executor = asked.inbox->executor();
    asio::post(executor, [asked = std::move(asked), done = std::move(done)]() mutable {
        const auto& inbox = asked.inbox;
        const auto job_ended = [done] {
            if (inboxes().all().empty()) return;
            done(Error{.kind = ErrorKind::protocol, .cause = "the job of a member has ended"});
        };
        if (!inbox->is_open()) return job_ended();
        const uint64_t id = inbox->owe(job_ended);
        inbox->events().pmix_collective(
            std::move(asked.request),
            [inbox, id, done = std::move(done)](Result<CollectiveResult> all) {
                if (inbox->pay(id)) done(std::move(all));
            });
    });
}

pmix_status_t ask(Collective::Kind kind, const pmix_proc_t* procs, size_t count,
                  const pmix_info_t* infos, size_t info_count, pmix_op_cbfunc_t answer,
                  void* cookie) {
    auto asked = take(kind, nullptr, procs, count, infos, info_count);
    if (asked.inbox == nullptr) return PMIX_ERR_NOT_FOUND;
    ask_for_all(std::move(asked), [answer, cookie](const Result<CollectiveResult>& all) {
        answer(all ? PMIX_SUCCESS : status_of(all.error()), cookie);
    });
    return PMIX_SUCCESS;
}

std::string bytes_of(const pmix_info_t* infos, size_t count, std::string_view key) {
    for (size_t i = 0; i < count; ++i) {
        const pmix_value_t& value = infos[i].value;
        if (key == infos[i].key && value.type == PMIX_BYTE_OBJECT && value.data.bo.bytes != nullptr)
            return {value.data.bo.bytes, value.data.bo.size};
    }
    return {};
}

/// A job itself knows how many ranks "all ranks" are.
std::vector<pmix_proc_t> processes(const SpaceMemberList& list, const CollectiveResult& all) {
    std::vector<pmix_proc_t> procs;
    for (const SpaceMembers& members : list) {
        for (const uint32_t rank : members.ranks)
            procs.push_back(make_proc(members.space, rank));
        for (const SpaceFacts& facts : all.spaces)
            for (uint32_t rank = 0;
                 members.all && facts.space == members.space && rank < facts.ranks; ++rank)
                procs.push_back(make_proc(members.space, rank));
    }
    return procs;
}

std::string end_to_end(const std::vector<std::string>& parts) {
    std::string data;
    for (const std::string& each : parts)
        data += each;
    return data;
}

/// libpmix keeps the list until it calls delete_info_list().
void answer_group(const SpaceMemberList& members, const CollectiveResult& all,
                  pmix_info_cbfunc_t answer, void* cookie) {
    auto infos = std::make_unique<InfoList>();
    infos->add_procs(PMIX_GROUP_MEMBERSHIP, processes(members, all));
    if (all.context != 0) infos->add_size(PMIX_GROUP_CONTEXT_ID, all.context);
    const std::string data = end_to_end(all.data);
    if (!data.empty()) infos->add_bytes(PMIX_GROUP_ENDPT_DATA, data);
    InfoList* const list = infos.release();
    answer(PMIX_SUCCESS, list->data(), list->size(), cookie, delete_info_list, list);
}

}  // namespace

pmix_status_t connect_members(const pmix_proc_t* procs, size_t count, const pmix_info_t* infos,
                              size_t info_count, pmix_op_cbfunc_t answer, void* cookie) {
    return ask(Collective::Kind::connect, procs, count, infos, info_count, answer, cookie);
}

pmix_status_t disconnect_members(const pmix_proc_t* procs, size_t count, const pmix_info_t* infos,
                                 size_t info_count, pmix_op_cbfunc_t answer, void* cookie) {
    return ask(Collective::Kind::disconnect, procs, count, infos, info_count, answer, cookie);
}

pmix_status_t fence_members(const pmix_proc_t* procs, size_t count, const pmix_info_t* infos,
                            size_t info_count, std::string data, pmix_modex_cbfunc_t answer,
                            void* cookie) {
    auto asked = take(Collective::Kind::fence, nullptr, procs, count, infos, info_count);
    if (asked.inbox == nullptr) return PMIX_ERR_NOT_FOUND;
    asked.request.part.data = std::move(data);
    ask_for_all(std::move(asked), [answer, cookie](const Result<CollectiveResult>& all) {
        answer_data(all ? Result<std::string>(end_to_end(all->data)) : all.error(), answer, cookie);
    });
    return PMIX_SUCCESS;
}

pmix_status_t group_members(pmix_group_operation_t operation, const char* name,
                            const pmix_proc_t* procs, size_t count, const pmix_info_t* infos,
                            size_t info_count, pmix_info_cbfunc_t answer, void* cookie) {
    const bool makes = operation == PMIX_GROUP_CONSTRUCT;
    const auto kind = makes ? Collective::Kind::group : Collective::Kind::ungroup;
    auto asked = take(kind, name, procs, count, infos, info_count);
    if (asked.inbox == nullptr) return PMIX_ERR_NOT_SUPPORTED;
    if (!makes && has_flag(infos, info_count, PMIX_GROUP_LOCAL_ONLY)) {
        // libpmix 5.0 ends a group of one node's ranks itself. If we answered later it would ask a
        // second time, and take the second answer for what it has freed after the first.
        ask_for_all(std::move(asked), [](const Result<CollectiveResult>&) {});
        return PMIX_OPERATION_SUCCEEDED;
    }
    asked.request.part.wants_context = has_flag(infos, info_count, PMIX_GROUP_ASSIGN_CONTEXT_ID);
    asked.request.part.data = bytes_of(infos, info_count, PMIX_GROUP_ENDPT_DATA);
    auto done = [members = asked.request.collective.members, answer,
                 cookie](const Result<CollectiveResult>& all) {
        if (all) return answer_group(members, *all, answer, cookie);
        answer(status_of(all.error()), nullptr, 0, cookie, nullptr, nullptr);
    };
    ask_for_all(std::move(asked), std::move(done));
    return PMIX_SUCCESS;
}

}  // namespace launch
