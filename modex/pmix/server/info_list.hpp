// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <pmix_common.h>
#include <string>
#include <string_view>
#include <vector>

namespace launch {

/// An array of pmix_info_t that owns what its values point to. libpmix copies what it is given:
/// the list need only live for the call.
class InfoList {
  public:
    InfoList() = default;
    InfoList(InfoList&&) = default;
    InfoList& operator=(InfoList&&) = delete;
    ~InfoList();

    void add_string(std::string_view key, std::string text);
    /// Adds the result of PMIx_generate_regex or PMIx_generate_ppn.
    void add_regex(std::string_view key, std::string regex);
    void add_flag(std::string_view key, bool flag);
    void add_u16(std::string_view key, uint16_t number);
    void add_u32(std::string_view key, uint32_t number);
    void add_size(std::string_view key, size_t number);
    void add_rank(std::string_view key, uint32_t rank);
    void add_proc(std::string_view key, const pmix_proc_t& proc);
    void add_procs(std::string_view key, std::vector<pmix_proc_t> procs);
    /// libpmix may take the bytes for its own: it leaves null in their place then, and frees them.
    void add_bytes(std::string_view key, std::string_view bytes);
    void add_topology(std::string_view key, const pmix_topology_t& topology);
    /// An array about processes; they live as long as the list.
    void add_proc_infos(std::string_view key, std::vector<pmix_proc_info_t> procs);
    std::string& keep(std::string text) { return strings_.emplace_back(std::move(text)); }
    /// A value that is itself an array of infos.
    void add_list(std::string_view key, InfoList list);

    /// As libpmix's functions want it, which take what they only read as writable. Valid until the
    /// next add.
    pmix_info_t* data() { return infos_.data(); }
    std::size_t size() const { return infos_.size(); }
    /// The last value of this key; nullptr: no such value.
    const pmix_value_t* find(std::string_view key) const;

  private:
    pmix_value_t& add(std::string_view key, pmix_data_type_t type);

    std::vector<pmix_info_t> infos_;
    // Lists: an element stays where it is.
    std::list<std::string> strings_;
    std::list<pmix_proc_t> procs_;
    std::list<pmix_topology_t> topologies_;
    std::list<InfoList> lists_;
    std::list<std::vector<pmix_proc_t>> proc_lists_;
    std::list<std::vector<pmix_proc_info_t>> proc_info_lists_;
    std::list<pmix_data_array_t> arrays_;
};

/// As libpmix's release functions are: ends an InfoList that was made by `new` for it to read.
void delete_info_list(void* list);

/// "rank in job", as libpmix names a process.
pmix_proc_t make_proc(std::string_view nspace, uint32_t rank);

/// The value's text; null: it has none.
const char* text_in(const pmix_value_t& value);

/// The flag `key` is among the infos and set. Without a value a flag means true.
bool has_flag(const pmix_info_t* infos, std::size_t count, std::string_view key);

/// The processes that `key` names among the infos.
std::vector<pmix_proc_t> procs_in(const pmix_info_t* infos, std::size_t count,
                                  std::string_view key);

/// The number `key` among the infos, of whichever type; nothing: it is not there, or negative.
std::optional<uint32_t> number_of(const pmix_info_t* infos, std::size_t count,
                                  std::string_view key);

}  // namespace launch
