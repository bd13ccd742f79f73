// SPDX-License-Identifier: MIT
#include "modex/pmix/server/info_list.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace launch {
namespace {

/// Cut to fit and terminated.
template <std::size_t N>
void copy_text(std::string_view text, char (&to)[N]) {
    const std::size_t n = std::min(text.size(), N - 1);
    std::copy_n(text.data(), n, to);
    to[n] = '\0';
}

}  // namespace

pmix_value_t& InfoList::add(std::string_view key, pmix_data_type_t type) {
    pmix_info_t& info = infos_.emplace_back();
    copy_text(key, info.key);
    info.value.type = type;
    return info.value;
}

void InfoList::add_string(std::string_view key, std::string text) {
    add(key, PMIX_STRING).data.string = strings_.emplace_back(std::move(text)).data();
}

void InfoList::add_regex(std::string_view key, std::string regex) {
    std::string& kept = strings_.emplace_back(std::move(regex));
    add(key, PMIX_REGEX).data.bo = {.bytes = kept.data(), .size = kept.size() + 1};
}

void InfoList::add_flag(std::string_view key, bool flag) {
    add(key, PMIX_BOOL).data.flag = flag;
}

void InfoList::add_u16(std::string_view key, uint16_t number) {
    add(key, PMIX_UINT16).data.uint16 = number;
}

void InfoList::add_u32(std::string_view key, uint32_t number) {
    add(key, PMIX_UINT32).data.uint32 = number;
}

void InfoList::add_size(std::string_view key, size_t number) {
    add(key, PMIX_SIZE).data.size = number;
}

void InfoList::add_rank(std::string_view key, uint32_t rank) {
    add(key, PMIX_PROC_RANK).data.rank = rank;
}

void InfoList::add_proc(std::string_view key, const pmix_proc_t& proc) {
    add(key, PMIX_PROC).data.proc = &procs_.emplace_back(proc);
}

void InfoList::add_procs(std::string_view key, std::vector<pmix_proc_t> procs) {
    auto& kept = proc_lists_.emplace_back(std::move(procs));
    add(key, PMIX_DATA_ARRAY).data.darray = &arrays_.emplace_back(
        pmix_data_array_t{.type = PMIX_PROC, .size = kept.size(), .array = kept.data()});
}

void InfoList::add_proc_infos(std::string_view key, std::vector<pmix_proc_info_t> procs) {
    auto& kept = proc_info_lists_.emplace_back(std::move(procs));
    add(key, PMIX_DATA_ARRAY).data.darray = &arrays_.emplace_back(
        pmix_data_array_t{.type = PMIX_PROC_INFO, .size = kept.size(), .array = kept.data()});
}

void InfoList::add_bytes(std::string_view key, std::string_view bytes) {
    auto* const copy = static_cast<char*>(std::malloc(bytes.size()));
    if (copy == nullptr) return;
    std::copy(bytes.begin(), bytes.end(), copy);
    add(key, PMIX_BYTE_OBJECT).data.bo = {.bytes = copy, .size = bytes.size()};
}

InfoList::~InfoList() {
    for (const pmix_info_t& info : infos_)
        if (info.value.type == PMIX_BYTE_OBJECT) std::free(info.value.data.bo.bytes);
}

void InfoList::add_topology(std::string_view key, const pmix_topology_t& topology) {
    add(key, PMIX_TOPO).data.topo = &topologies_.emplace_back(topology);
}

void InfoList::add_list(std::string_view key, InfoList list) {
    InfoList& kept = lists_.emplace_back(std::move(list));
    add(key, PMIX_DATA_ARRAY).data.darray = &arrays_.emplace_back(
        pmix_data_array_t{.type = PMIX_INFO, .size = kept.size(), .array = kept.data()});
}

const pmix_value_t* InfoList::find(std::string_view key) const {
    const auto found = std::find_if(infos_.rbegin(), infos_.rend(),
                                    [&](const auto& info) { return key == info.key; });
    return found == infos_.rend() ? nullptr : &found->value;
}

pmix_proc_t make_proc(std::string_view nspace, uint32_t rank) {
    pmix_proc_t proc{};
    copy_text(nspace, proc.nspace);
    proc.rank = rank;
    return proc;
}

void delete_info_list(void* list) {
    delete static_cast<InfoList*>(list);
}

const char* text_in(const pmix_value_t& value) {
    return value.type == PMIX_STRING ? value.data.string : nullptr;
}

bool has_flag(const pmix_info_t* infos, std::size_t count, std::string_view key) {
    for (std::size_t i = 0; i < count; ++i) {
        const pmix_info_t& info = infos[i];
        if (key == info.key) return info.value.type != PMIX_BOOL || info.value.data.flag;
    }
    return false;
}

std::vector<pmix_proc_t> procs_in(const pmix_info_t* infos, std::size_t count,
                                  std::string_view key) {
    std::vector<pmix_proc_t> procs;
    for (std::size_t i = 0; i < count; ++i) {
        const pmix_value_t& value = infos[i].value;
        if (key != infos[i].key) continue;
        if (value.type == PMIX_PROC && value.data.proc != nullptr)
            procs.push_back(*value.data.proc);
        if (value.type != PMIX_DATA_ARRAY || value.data.darray == nullptr) continue;
        const pmix_data_array_t& array = *value.data.darray;
        if (array.type != PMIX_PROC || array.array == nullptr) continue;
        const auto* const first = static_cast<const pmix_proc_t*>(array.array);
        procs.insert(procs.end(), first, first + array.size);
    }
    return procs;
}

namespace {

std::optional<uint32_t> number_in(const pmix_value_t& value) {
    const auto bounded = [](auto number) -> std::optional<uint32_t> {
        if (std::cmp_less(number, 0)) return std::nullopt;
        if (std::cmp_greater(number, UINT32_MAX)) return UINT32_MAX;
        return static_cast<uint32_t>(number);
    };
    switch (value.type) {
        case PMIX_INT: return bounded(value.data.integer);
        case PMIX_INT8: return bounded(int{value.data.int8});
        case PMIX_INT16: return bounded(value.data.int16);
        case PMIX_INT32: return bounded(value.data.int32);
        case PMIX_INT64: return bounded(value.data.int64);
        case PMIX_UINT: return bounded(value.data.uint);
        case PMIX_UINT8: return bounded(unsigned{value.data.uint8});
        case PMIX_UINT16: return bounded(value.data.uint16);
        case PMIX_UINT32: return bounded(value.data.uint32);
        case PMIX_UINT64: return bounded(value.data.uint64);
        case PMIX_SIZE: return bounded(value.data.size);
        default: return std::nullopt;
    }
}

}  // namespace

std::optional<uint32_t> number_of(const pmix_info_t* infos, std::size_t count,
                                  std::string_view key) {
    for (std::size_t i = 0; i < count; ++i)
        if (key == infos[i].key) return number_in(infos[i].value);
    return std::nullopt;
}

}  // namespace launch
