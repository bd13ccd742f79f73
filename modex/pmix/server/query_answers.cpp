// SPDX-License-Identifier: MIT
#include "modex/pmix/server/query_answers.hpp"

#include <string_view>
#include <utility>

#include "core/base/list_text.hpp"
#include "modex/pmix/server/inboxes.hpp"
#include "modex/pmix/server/info_list.hpp"

namespace launch {
namespace {

/// False: nothing is known of that.
bool add_answer(InfoList& infos, std::string_view key, const std::string& nspace) {
    if (key == PMIX_QUERY_NAMESPACES) {
        infos.add_string(key, nspace);
    } else if (key == PMIX_QUERY_NUM_PSETS || key == PMIX_QUERY_NUM_GROUPS) {
        infos.add_size(key, 0);
    } else if (key == PMIX_QUERY_PSET_NAMES) {
        infos.add_string(key, "");
    } else {
        return false;
    }
    return true;
}

}  // namespace

pmix_status_t answer_queries(const std::vector<std::shared_ptr<Inbox>>& jobs,
                             const pmix_query_t* queries, size_t count, pmix_info_cbfunc_t answer,
                             void* cookie) {
    auto infos = std::make_unique<InfoList>();
    size_t asked = 0;
    std::string nspaces;
    for (const auto& inbox : jobs)
        append_part(nspaces, ",", inbox->nspace());
    for (size_t i = 0; i < count; ++i) {
        for (char** key = queries[i].keys; key != nullptr && *key != nullptr; ++key, ++asked)
            add_answer(*infos, *key, nspaces);
    }
    if (infos->size() == 0) return PMIX_ERR_NOT_SUPPORTED;
    const auto status = infos->size() == asked ? PMIX_SUCCESS : PMIX_ERR_PARTIAL_SUCCESS;
    // libpmix wants no answer before this returns. Nobody knows whose rank asks: any job may end
    // meanwhile, and the rank of another one would wait for ever. Once all have, libpmix ends.
    auto reply = [infos = std::move(infos), status, answer, cookie]() mutable {
        if (inboxes().all().empty()) return;
        auto* const list = infos.release();
        answer(status, list->data(), list->size(), cookie, delete_info_list, list);
    };
    asio::post(jobs.front()->executor(), std::move(reply));
    return PMIX_SUCCESS;
}

}  // namespace launch
