// SPDX-License-Identifier: MIT
// An event of a rank of another node, in any bytes. What libpmix makes of bytes is its own affair:
// another reader stands in for it here, whose values may be cut off anywhere.
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "core/base/codec.hpp"
#include "modex/pmix/server/event_packet.hpp"
#include "tests/fuzz/allocation.hpp"
#include "tests/fuzz/targets.hpp"

namespace launch {
namespace {

using fuzz::require;

/// An event as libpmix was told it.
struct Told {
    pmix_status_t code = 0;
    std::string source;
    pmix_data_range_t range = 0;
    std::vector<std::string> infos;  ///< key and value

    bool operator==(const Told&) const = default;
};

/// What stands in for libpmix's own state.
struct State {
    std::vector<Told> told;
    size_t values = 0;  ///< that were handed out and not given back
};
State* state = nullptr;

std::string text_of(const pmix_info_t& info) {
    return std::string(info.key) + "=" +
           (info.value.type == PMIX_STRING ? info.value.data.string : "");
}

template <size_t size>
void copy_text(std::string_view text, char (&to)[size]) {
    to[text.copy(to, size - 1)] = '\0';
}

/// A value that is cut off has its text all the same, and is its receiver's to give back.
void read_info(Decoder& in, pmix_info_t& info) {
    copy_text(in.text(), info.key);
    const std::string text(in.text());
    if (!in.ok()) return;
    info.value.type = PMIX_STRING;
    info.value.data.string = strdup(text.c_str());
    ++state->values;
    if (!in.flag()) in.fail();
}

pmix_status_t unpack(const pmix_proc_t*, pmix_data_buffer_t* buffer, void* to, int32_t* count,
                     pmix_data_type_t type) {
    const char* const end = buffer->base_ptr + buffer->bytes_used;
    Decoder in({buffer->unpack_ptr, static_cast<size_t>(end - buffer->unpack_ptr)});
    require(*count == 1, "one by one");
    switch (type) {
        case PMIX_STATUS:
            *static_cast<pmix_status_t*>(to) = static_cast<pmix_status_t>(in.number32());
            break;
        case PMIX_PROC: copy_text(in.text(), static_cast<pmix_proc_t*>(to)->nspace); break;
        case PMIX_DATA_RANGE:
            *static_cast<pmix_data_range_t*>(to) = static_cast<pmix_data_range_t>(in.number());
            break;
        case PMIX_SIZE: *static_cast<size_t*>(to) = in.number(); break;
        case PMIX_INFO: read_info(in, *static_cast<pmix_info_t*>(to)); break;
        default: require(false, "a type that was packed");
    }
    if (!in.ok()) return PMIX_ERR_UNPACK_FAILURE;
    buffer->unpack_ptr = buffer->base_ptr + (buffer->bytes_used - in.rest().size());
    return PMIX_SUCCESS;
}

std::string packed(const void* from, pmix_data_type_t type) {
    Encoder out;
    switch (type) {
        case PMIX_STATUS:
            out.number(static_cast<uint32_t>(*static_cast<const pmix_status_t*>(from)));
            break;
        case PMIX_PROC: out.text(static_cast<const pmix_proc_t*>(from)->nspace); break;
        case PMIX_DATA_RANGE: out.number(*static_cast<const pmix_data_range_t*>(from)); break;
        case PMIX_SIZE: out.number(*static_cast<const size_t*>(from)); break;
        default: {
            const auto& info = *static_cast<const pmix_info_t*>(from);
            out.text(info.key).text(info.value.data.string).flag(true);
        }
    }
    return out.take();
}

pmix_status_t pack(const pmix_proc_t*, pmix_data_buffer_t* buffer, void* from, int32_t count,
                   pmix_data_type_t type) {
    require(count == 1, "one by one");
    const std::string bytes = packed(from, type);
    const size_t used = buffer->bytes_used;
    buffer->base_ptr = static_cast<char*>(std::realloc(buffer->base_ptr, used + bytes.size()));
    std::memcpy(buffer->base_ptr + used, bytes.data(), bytes.size());
    buffer->bytes_used = buffer->bytes_allocated = used + bytes.size();
    buffer->pack_ptr = buffer->base_ptr + buffer->bytes_used;
    buffer->unpack_ptr = buffer->base_ptr;
    return PMIX_SUCCESS;
}

void destruct(pmix_value_t* value) {
    if (value->type != PMIX_STRING) return;
    std::free(value->data.string);
    *value = {};
    --state->values;
}

LibPmix stand_in() {
    LibPmix lib;
    lib.PMIx_Data_pack = pack;
    lib.PMIx_Data_unpack = unpack;
    lib.PMIx_Value_destruct = destruct;
    lib.PMIx_Notify_event = [](pmix_status_t code, const pmix_proc_t* source,
                               pmix_data_range_t range, const pmix_info_t* infos, size_t count,
                               pmix_op_cbfunc_t, void*) -> pmix_status_t {
        Told told{code, source->nspace, range, {}};
        for (size_t i = 0; i < count; ++i)
            told.infos.push_back(text_of(infos[i]));
        require(state->values == count, "all that was unpacked, and no part of a value");
        state->told.push_back(std::move(told));
        return PMIX_SUCCESS;
    };
    return lib;
}

/// The same event, as a rank of this node would have told it.
std::string pack_again(const LibPmix& lib, const Told& told) {
    std::vector<pmix_info_t> infos(told.infos.size());
    std::vector<std::string> values(told.infos.size());
    for (size_t i = 0; i < infos.size(); ++i) {
        const size_t key = told.infos[i].find('=');
        copy_text(told.infos[i].substr(0, key), infos[i].key);
        values[i] = told.infos[i].substr(key + 1);
        infos[i].value.type = PMIX_STRING;
        infos[i].value.data.string = values[i].data();
    }
    PmixEvent event{told.code, {}, told.range, infos.data(), infos.size()};
    copy_text(told.source, event.source.nspace);
    const auto bytes = pack_event(lib, event);
    require(bytes.has_value(), "it can be packed");
    return *bytes;
}

}  // namespace

void fuzz::pmix_event(std::string_view bytes) {
    State fresh;
    state = &fresh;
    const LibPmix lib = stand_in();
    // An info is three bytes or more there, and its vector grows by doubling.
    AllocationLimit limit(in_proportion(0) + sizeof(pmix_info_t) * bytes.size());
    tell_packed_event(lib, bytes);
    limit.check();
    require(fresh.values == 0, "all is given back");
    require(fresh.told.size() <= 1, "once at most");
    if (fresh.told.empty()) return;
    tell_packed_event(lib, pack_again(lib, fresh.told.front()));
    require(fresh.told.size() == 2 && fresh.told[0] == fresh.told[1], "read as written");
    require(fresh.values == 0, "all is given back");
}

}  // namespace launch
