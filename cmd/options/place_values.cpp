// SPDX-License-Identifier: MIT
#include "cmd/options/place_values.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "cmd/options/place_words.hpp"
#include "cmd/options/usage_error.hpp"
#include "cmd/options/values.hpp"
#include "core/base/lower.hpp"

namespace launch {
namespace {

using How = BindChoice::How;

struct MappingName {
    std::string_view name;
    Mapping mapping;
    std::string_view help;
};

constexpr auto mapping_names = std::to_array<MappingName>({
    {"block", Mapping::block, "fill a host, then the next; the default"},
    {"slot", Mapping::block, "the same as block"},
    {"cyclic", Mapping::cyclic, "one to each host in turn"},
    {"node", Mapping::cyclic, "the same as cyclic"},
    {"host", Mapping::cyclic, "the same as cyclic"},
});

/// "a:b=1:c,d" -> a, b=1, c, d.
std::vector<std::string_view> split_modifiers(std::string_view text) {
    std::vector<std::string_view> words;
    while (true) {
        const size_t end = text.find_first_of(":,");
        words.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return words;
        text.remove_prefix(end + 1);
    }
}

std::string read_count(std::string_view text, uint32_t& count) {
    uint64_t read = 0;
    auto objection = read_number(text, 1, CpuSet::most, read);
    if (objection.empty()) count = static_cast<uint32_t>(read);
    return objection;
}

/// "0-3,4+6": the CPUs of one rank after the other.
std::string read_lists(std::string_view text, BindChoice& bind) {
    bind.how = How::listed;
    while (true) {
        const size_t end = text.find(',');
        std::string one(text.substr(0, end));
        std::replace(one.begin(), one.end(), '+', ',');
        auto cpus = read_cpus(one);
        if (!cpus) return "CPUs are written as in user:0,1 or user:0-3,4+6, one for each rank";
        bind.lists.push_back(*std::move(cpus));
        if (end == std::string_view::npos) return {};
        text.remove_prefix(end + 1);
    }
}

std::string read_bind_modifier(std::string_view word, BindChoice& bind) {
    const bool overload = word == "overload" || word == "overload-allowed";
    bind.overload = bind.overload || overload;
    if (overload || word == "no-overload" || word == "if-supported") return {};
    if (read_count(word, bind.count).empty()) return {};
    return unknown_place(word, "expected a number or overload, not " + shown(word));
}

std::string read_pe(std::string_view word, MapBy& map) {
    auto objection = read_count(word.substr(3), map.part.cores);
    return objection.empty() ? objection : shown(word) + ": " + objection;
}

/// "socket:2": the parts of a host are taken by twos.
std::string join_neighbours(uint32_t count, MapBy& map) {
    if (!map.part.part || map.part.in_each > 0)
        return "a number is for parts of a host, as in socket:2";
    map.part.joined = count;
    return {};
}

std::string read_map_modifier(std::string_view word, MapBy& map) {
    uint32_t count = 0;
    if (word.starts_with("pe=")) return read_pe(word, map);
    if (read_count(word, count).empty()) return join_neighbours(count, map);
    if (word == "span") {
        map.hosts = Mapping::cyclic;
    } else if (word == "oversubscribe" || word == "nooversubscribe") {
        map.keeps_to_slots = word == "nooversubscribe";
    } else {
        return unknown_place(
            word, shown(word) + " is none of PE=N, span, oversubscribe and nooversubscribe");
    }
    return {};
}

/// "ppr:N:WHAT", after "ppr".
std::string read_ppr(const std::vector<std::string_view>& words, MapBy& map) {
    uint32_t count = 0;
    if (words.size() < 3 || !read_count(words[1], count).empty())
        return "write ppr:N:socket, or another part of a host, or ppr:N:node";
    const bool is_host = words[2] == "node" || words[2] == "host";
    const auto part = part_of(words[2]);
    if (!is_host && !part)
        return unknown_place(words[2],
                             shown(words[2]) + " is none of node, " + std::string(known_parts));
    if (is_host || *part == MachinePart::machine) {
        map.ppn = count;
    } else {
        map.part.part = part;
        map.part.in_each = count;
    }
    return {};
}

std::string read_mapping(std::string_view text, Mapping& mapping) {
    const auto* found = std::find_if(mapping_names.begin(), mapping_names.end(),
                                     [&](const MappingName& n) { return n.name == text; });
    if (found == mapping_names.end())
        return "not one of block (or slot) and cyclic (or node, host)";
    mapping = found->mapping;
    return {};
}

std::string write_mapping(Mapping mapping) {
    const auto* found = std::find_if(mapping_names.begin(), mapping_names.end(),
                                     [&](const MappingName& n) { return n.mapping == mapping; });
    return std::string(found->name);
}

}  // namespace

std::string read_bind(std::string_view given, BindChoice& bind) {
    const std::string in_lower_case = lower(std::string(given));
    std::string_view text = in_lower_case;
    bind = {};
    if (text == "auto") return {};
    bind.how = How::none;
    if (text == "none") return {};
    if (text.starts_with("user:")) return read_lists(text.substr(5), bind);
    bind.how = How::part;
    const auto words = split_modifiers(text);
    const bool all = words[0] == "cpuset" || words[0] == "rr";
    const auto part =
        all ? std::optional(words[0] == "rr" ? MachinePart::hwthread : MachinePart::machine)
            : part_of(words[0]);
    if (!part)
        return unknown_place(
            words[0],
            "not one of none, auto, " + std::string(known_parts) + ", cpuset and user:LIST",
            bind_words());
    bind.part = *part;
    for (size_t i = 1; i < words.size(); ++i) {
        auto objection = read_bind_modifier(words[i], bind);
        if (!objection.empty()) return objection;
    }
    return {};
}

std::string write_bind(const BindChoice& bind) {
    if (bind.how == How::automatic) return "auto";
    if (bind.how == How::none) return "none";
    std::string text;
    if (bind.how == How::listed) {
        for (const CpuSet& cpus : bind.lists) {
            std::string one = to_string(cpus);
            std::replace(one.begin(), one.end(), ',', '+');
            text += (text.empty() ? "user:" : ",") + one;
        }
        return text;
    }
    text = bind.part == MachinePart::machine ? "cpuset" : part_name(bind.part);
    if (bind.count > 1) text += ":" + std::to_string(bind.count);
    return text + (bind.overload ? ":overload" : "");
}

std::vector<ChoiceWord> bind_words() {
    return {
        {"auto", "to a core each, where a host has several ranks and enough cores"},
        {"none", "not: to all CPUs that the host lets the job use, which may change"},
        {"hwthread", "to a hardware thread each", "N"},
        {"core", "to a core each", "N"},
        {"l1", "to the cores of an L1 cache", "N"},
        {"l2", "to the cores of an L2 cache", "N"},
        {"l3", "to the cores of an L3 cache", "N"},
        {"numa", "to a NUMA node", "N"},
        {"socket", "to a socket", "N"},
        {"cpuset", "to all CPUs that the host lets the job use"},
        {"user", "to these CPUs: user:0,1 or user:0-3,4-7", "LIST"},
    };
}

std::string read_map_by(std::string_view given, MapBy& map) {
    map = {};
    const std::string text = lower(std::string(given));
    const auto words = split_modifiers(text);
    size_t next = 1;
    std::string objection;
    if (words[0] == "ppr") {
        objection = read_ppr(words, map);
        next = 3;
    } else if (const auto part = part_of(words[0])) {
        if (*part != MachinePart::machine) map.part.part = part;
    } else if (!words[0].starts_with("pe=")) {
        objection = read_mapping(words[0], map.hosts);
        if (!objection.empty())
            objection = unknown_place(
                words[0], objection + ", nor a part of a host: " + std::string(known_parts),
                map_by_words());
    } else {
        next = 0;
    }
    for (; objection.empty() && next < words.size(); ++next)
        objection = read_map_modifier(words[next], map);
    return objection;
}

std::string write_map_by(const MapBy& map) {
    std::string text;
    const std::string each = std::to_string(map.ppn > 0 ? map.ppn : map.part.in_each);
    if (map.ppn > 0)
        text = "ppr:" + each + ":node";
    else if (map.part.in_each > 0 && map.part.part)
        text = "ppr:" + each + ":" + part_name(*map.part.part);
    else if (map.part.part)
        text = part_name(*map.part.part);
    else
        text = write_mapping(map.hosts);
    if (map.part.joined > 1) text += ":" + std::to_string(map.part.joined);
    const bool says_hosts = map.ppn == 0 && !map.part.part;
    if (map.hosts == Mapping::cyclic && !says_hosts) text += ":span";
    if (map.part.cores > 0) text += ":PE=" + std::to_string(map.part.cores);
    if (map.keeps_to_slots) text += ":nooversubscribe";
    return text;
}

std::vector<ChoiceWord> map_by_words() {
    std::vector<ChoiceWord> words;
    for (const auto& each : mapping_names)
        words.push_back({std::string(each.name), std::string(each.help)});
    for (const char* part : {"core", "l3", "numa", "socket"})
        words.push_back({part, "inside a host, to these parts in turn"});
    words.push_back({"ppr", "so many on each: ppr:2:socket, ppr:4:node", "N:WHAT"});
    return words;
}

std::string read_gpus(std::string_view text, GpuChoice& gpus) {
    gpus = {};
    if (text == "none" || text == "0") return {};
    gpus.how = GpuChoice::How::automatic;
    if (text == "auto") return {};
    gpus.how = GpuChoice::How::count;
    const auto objection = read_count(text, gpus.count);
    return objection.empty() ? "" : objection + ", nor auto";
}

std::string write_gpus(const GpuChoice& gpus) {
    if (gpus.how == GpuChoice::How::none) return "none";
    return gpus.how == GpuChoice::How::automatic ? "auto" : std::to_string(gpus.count);
}

std::vector<ChoiceWord> gpu_words() {
    return {{"auto", "its share of those that its host has"},
            {"none", "launch sets no variable for them"}};
}

std::string read_rank_by(std::string_view given, MachinePart& part) {
    part = MachinePart::machine;
    const std::string text = lower(std::string(given));
    const auto words = split_modifiers(text);
    if (words.size() > 1)
        return unknown_place(words[1], shown(words[1]) + " is nothing that --rank-by has");
    if (text == "slot" || text == "fill") return {};
    const auto known = part_of(text);
    if (!known)
        return unknown_place(text, "not one of slot, " + std::string(known_parts), rank_by_words());
    part = *known;
    return {};
}

std::string write_rank_by(MachinePart part) {
    return part == MachinePart::machine ? "slot" : part_name(part);
}

std::vector<ChoiceWord> rank_by_words() {
    std::vector<ChoiceWord> words{{"slot", "in the order in which they are placed, the default"}};
    for (const char* part : {"core", "l3", "numa", "socket"})
        words.push_back({part, "over these parts of a host in turn"});
    return words;
}

}  // namespace launch
