// SPDX-License-Identifier: MIT
#include "modex/pmix/server/name_service.hpp"

#include <chrono>
#include <optional>
#include <string_view>
#include <vector>

#include "modex/pmix/server/info_list.hpp"
#include "modex/pmix/server/pack_buffer.hpp"
#include "modex/pmix/server/words_of.hpp"

namespace launch {
namespace {

std::optional<std::string> pack(const LibPmix& lib, pmix_proc_t publisher, pmix_value_t value) {
    PackBuffer buffer;
    if (!buffer.pack(lib, publisher, PMIX_PROC) || !buffer.pack(lib, value, PMIX_VALUE))
        return std::nullopt;
    return std::string(buffer.bytes());
}

/// Whatever was published, perhaps by another release of libpmix.
bool unpack(const LibPmix& lib, std::string_view bytes, pmix_pdata_t& into) {
    PackBuffer buffer;
    return buffer.fill(bytes) && buffer.unpack(lib, into.proc, PMIX_PROC) &&
           buffer.unpack(lib, into.value, PMIX_VALUE);
}

NameScope::Range range_of(pmix_data_range_t range) {
    switch (range) {
        case PMIX_RANGE_PROC_LOCAL: return NameScope::Range::process;
        case PMIX_RANGE_LOCAL: return NameScope::Range::host;
        case PMIX_RANGE_NAMESPACE: return NameScope::Range::job;
        default: return NameScope::Range::session;
    }
}

NameScope::Life life_of(pmix_persistence_t persistence) {
    switch (persistence) {
        case PMIX_PERSIST_PROC: return NameScope::Life::process;
        case PMIX_PERSIST_INDEF:
        case PMIX_PERSIST_SESSION: return NameScope::Life::session;
        default: return NameScope::Life::job;
    }
}

/// By default, as PMIx says: all of the session, until the job ends.
NameScope scope_of(const pmix_info_t* infos, size_t count) {
    NameScope scope;
    for (size_t i = 0; i < count; ++i) {
        const std::string_view key = infos[i].key;
        if (key == PMIX_RANGE) scope.range = range_of(infos[i].value.data.range);
        if (key == PMIX_PERSISTENCE) scope.life = life_of(infos[i].value.data.persist);
    }
    return scope;
}

NameLookup lookup_of(std::vector<std::string> names, const pmix_info_t* infos, size_t count) {
    NameLookup lookup{.names = std::move(names)};
    lookup.waits = has_flag(infos, count, PMIX_WAIT);
    lookup.wanted = number_of(infos, count, PMIX_WAIT).value_or(0);
    lookup.scope = scope_of(infos, count);
    lookup.limit = std::chrono::seconds(number_of(infos, count, PMIX_TIMEOUT).value_or(0));
    return lookup;
}

pmix_status_t status_of(const NamesFound& found, size_t readable) {
    if (readable == found.values.size()) return PMIX_SUCCESS;
    if (found.late) return PMIX_ERR_TIMEOUT;
    return readable == 0 ? PMIX_ERR_NOT_FOUND : PMIX_ERR_PARTIAL_SUCCESS;
}

/// libpmix copies what it is handed.
void answer_lookup(const LibPmix& lib, const std::vector<std::string>& names,
                   const NamesFound& found, pmix_lookup_cbfunc_t answer, void* cookie) {
    std::vector<pmix_pdata_t> entries;
    for (size_t i = 0; i < found.values.size(); ++i) {
        pmix_pdata_t entry{};
        names[i].copy(entry.key, sizeof entry.key - 1);
        if (found.values[i] && unpack(lib, *found.values[i], entry)) entries.push_back(entry);
    }
    answer(status_of(found, entries.size()), entries.data(), entries.size(), cookie);
    for (auto& entry : entries)
        lib.PMIx_Value_destruct(&entry.value);
}

/// The answer to libpmix: success, or the failure.
auto op_reply(std::shared_ptr<Inbox> inbox, pmix_status_t failed, pmix_op_cbfunc_t answer,
              void* cookie) {
    return [inbox = std::move(inbox), failed, answer, cookie](const Result<std::string>& result) {
        if (inbox->is_open()) answer(result ? PMIX_SUCCESS : failed, cookie);
    };
}

/// Among what is published are also directives: range, persistence, who publishes.
bool is_directive(std::string_view key) {
    return key.starts_with("pmix.");
}

}  // namespace

pmix_status_t publish_names(Inbox& inbox, const pmix_proc_t& publisher, const pmix_info_t* infos,
                            size_t count, pmix_op_cbfunc_t answer, void* cookie) {
    std::vector<NamedValue> names;
    bool once = false;
    for (size_t i = 0; i < count; ++i) {
        if (std::string_view(infos[i].key) == PMIX_PERSISTENCE)
            once = infos[i].value.data.persist == PMIX_PERSIST_FIRST_READ;
        if (is_directive(infos[i].key)) continue;
        auto packed = pack(inbox.lib(), publisher, infos[i].value);
        if (!packed) return PMIX_ERR_PACK_FAILURE;
        names.push_back({infos[i].key, std::move(*packed)});
    }
    if (names.empty()) return PMIX_ERR_BAD_PARAM;
    inbox.post([done = op_reply(inbox.shared_from_this(), PMIX_ERR_DUPLICATE_KEY, answer, cookie),
                rank = publisher.rank, once, scope = scope_of(infos, count),
                names = std::move(names)](PmixEvents& events) mutable {
        events.pmix_publish(rank, std::move(names), once, std::move(scope), std::move(done));
    });
    return PMIX_SUCCESS;
}

pmix_status_t lookup_names(Inbox& inbox, uint32_t rank, char** keys, const pmix_info_t* infos,
                           size_t count, pmix_lookup_cbfunc_t answer, void* cookie) {
    auto lookup = lookup_of(words_of(keys), infos, count);
    if (lookup.names.empty()) return PMIX_ERR_BAD_PARAM;
    auto found = [inbox = inbox.shared_from_this(), names = lookup.names, answer,
                  cookie](const NamesFound& all) {
        if (inbox->is_open()) answer_lookup(inbox->lib(), names, all, answer, cookie);
    };
    inbox.post(
        [rank, lookup = std::move(lookup), found = std::move(found)](PmixEvents& events) mutable {
            events.pmix_lookup(rank, std::move(lookup), std::move(found));
        });
    return PMIX_SUCCESS;
}

pmix_status_t unpublish_names(Inbox& inbox, uint32_t rank, char** keys, pmix_op_cbfunc_t answer,
                              void* cookie) {
    inbox.post([done = op_reply(inbox.shared_from_this(), PMIX_ERR_NOT_FOUND, answer, cookie), rank,
                names = words_of(keys)](PmixEvents& events) mutable {
        events.pmix_unpublish(rank, std::move(names), std::move(done));
    });
    return PMIX_SUCCESS;
}

}  // namespace launch
