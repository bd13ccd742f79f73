// SPDX-License-Identifier: MIT
#include "modex/pmix/server/tools.hpp"

#include <algorithm>
#include <optional>
#include <unistd.h>

#include "modex/pmix/server/inboxes.hpp"
#include "modex/pmix/server/info_list.hpp"

namespace launch {
namespace {

/// The only job here that wants tools, apart from processes that it has spawned; null: no job wants
/// them, or several do.
std::shared_ptr<Inbox> job_for_tools() {
    auto all = inboxes().all();
    std::erase_if(all,
                  [](const auto& inbox) { return !inbox->takes_tools() || inbox->is_spawned(); });
    return all.size() == 1 ? all.front() : nullptr;
}

/// By what libpmix says last: a tool's own infos come before.
std::optional<uint32_t> user_of(const pmix_info_t* infos, size_t count) {
    for (size_t i = count; i-- > 0;)
        if (std::string_view(infos[i].key) == PMIX_USERID)
            return number_of(infos + i, 1, PMIX_USERID);
    return std::nullopt;
}

/// The name by which the tool knows itself, where it has one; else an empty one.
pmix_proc_t own_name(const pmix_info_t* infos, size_t count) {
    std::string_view nspace;
    uint32_t rank = 0;
    for (size_t i = 0; i < count; ++i) {
        const std::string_view key = infos[i].key;
        const char* const text = text_in(infos[i].value);
        if (key == PMIX_NSPACE && text != nullptr) nspace = text;
        if (key == PMIX_RANK) rank = infos[i].value.data.rank;
    }
    return make_proc(nspace, rank);
}

/// The ranks of the job here that a tool means by `rank`.
std::vector<uint32_t> ranks_of(const Inbox& inbox, uint32_t rank) {
    const auto& here = inbox.local_ranks();
    if (rank == PMIX_RANK_WILDCARD) return here;
    if (std::find(here.begin(), here.end(), rank) == here.end()) return {};
    return {rank};
}

}  // namespace

Tools& tools() {
    static Tools all_of_them;
    return all_of_them;
}

pmix_proc_t Tools::add() {
    const std::lock_guard lock(mutex_);
    const pmix_proc_t tool = make_proc("launch.tool." + std::to_string(++last_), 0);
    names_.emplace(tool.nspace, tool.rank);
    return tool;
}

void Tools::add(const pmix_proc_t& tool) {
    const std::lock_guard lock(mutex_);
    names_.emplace(tool.nspace, tool.rank);
}

bool Tools::remove(const pmix_proc_t& tool) {
    const std::lock_guard lock(mutex_);
    return names_.erase({tool.nspace, tool.rank}) > 0;
}

bool Tools::contains(const pmix_proc_t& tool) const {
    const std::lock_guard lock(mutex_);
    return names_.contains({tool.nspace, tool.rank});
}

std::vector<pmix_proc_t> Tools::all() const {
    const std::lock_guard lock(mutex_);
    std::vector<pmix_proc_t> procs;
    for (const auto& [nspace, rank] : names_)
        procs.push_back(make_proc(nspace, rank));
    return procs;
}

std::shared_ptr<Inbox> job_of_tool(const pmix_proc_t& tool) {
    return tools().contains(tool) ? job_for_tools() : nullptr;
}

void admit_tool(pmix_info_t* infos, size_t count, pmix_tool_connection_cbfunc_t answer,
                void* cookie) {
    // A tool that is refused gets no answer: libpmix, from 4.1 to 5.0.8, frees its record of the
    // tool twice, and that of the job if the tool was started by a rank.
    if (user_of(infos, count) != geteuid()) return;
    pmix_proc_t tool = own_name(infos, count);
    const bool is_rank = inboxes().find(tool.nspace) != nullptr;  // a tool that it has started
    if (tool.nspace[0] == '\0')
        tool = tools().add();
    else if (!is_rank)
        tools().add(tool);
    answer(PMIX_SUCCESS, &tool, cookie);
}

bool tool_left(const pmix_proc_t& tool) {
    if (!tools().remove(tool)) return false;
    if (!tools().all().empty()) return true;
    for (const auto& inbox : inboxes().all())
        inbox->post([](PmixEvents& events) { events.pmix_output_unwanted(); });
    return true;
}

/// That a tool wants no more libpmix tells without saying of what: it has struck it off its own
/// list then.
pmix_status_t pull_output(const pmix_proc_t* procs, size_t count, const pmix_info_t* infos,
                          size_t info_count, pmix_iof_channel_t channels, pmix_op_cbfunc_t, void*) {
    if (has_flag(infos, info_count, PMIX_IOF_STOP)) return PMIX_OPERATION_SUCCEEDED;
    if ((channels & (PMIX_FWD_STDOUT_CHANNEL | PMIX_FWD_STDERR_CHANNEL)) == 0)
        return PMIX_ERR_NOT_SUPPORTED;
    bool any = false;
    for (size_t i = 0; i < count; ++i) {
        const auto inbox = inboxes().find(procs[i].nspace);
        if (inbox == nullptr || !inbox->takes_tools()) continue;
        auto ranks = ranks_of(*inbox, procs[i].rank);
        any = any || !ranks.empty();
        inbox->post(
            [ranks = std::move(ranks)](PmixEvents& events) { events.pmix_output_wanted(ranks); });
    }
    return any ? PMIX_OPERATION_SUCCEEDED : PMIX_ERR_NOT_FOUND;
}

void tell_tools(const LibPmix& lib, pmix_status_t code, const pmix_proc_t& source,
                const pmix_info_t* infos, size_t count) {
    auto all = tools().all();
    if (all.empty()) return;
    auto told = std::make_unique<InfoList>();
    told->add_procs(PMIX_EVENT_CUSTOM_RANGE, std::move(all));
    told->add_flag(PMIX_EVENT_NON_DEFAULT, true);
    for (size_t i = 0; i < count; ++i) {
        const char* const text = text_in(infos[i].value);
        if (text != nullptr && std::string_view(infos[i].key) == PMIX_BREAKPOINT)
            told->add_string(PMIX_BREAKPOINT, text);
    }
    InfoList* const list = told.release();
    const auto done = [](pmix_status_t, void* read) { delete_info_list(read); };
    const auto status = lib.PMIx_Notify_event(code, &source, PMIX_RANGE_CUSTOM, list->data(),
                                              list->size(), done, list);
    if (status != PMIX_SUCCESS) delete_info_list(list);
}

}  // namespace launch
