// SPDX-License-Identifier: MIT
#include "cmd/doctor/host_facts.hpp"

#include <algorithm>

#include "core/base/list_text.hpp"
#include "core/base/number_text.hpp"

namespace launch {
namespace {

/// The first line, and the last, without which a text was cut.
constexpr std::string_view first_line = "launch-facts 1";
constexpr std::string_view last_line = "end";
/// A host reports at most so many names, folders and libraries each.
constexpr size_t most_of_a_kind = 256;

using Fields = std::vector<std::string_view>;

/// A word of a line: tabs and line ends are between words only.
std::string word(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n'; }, ' ');
    return text;
}

void add_line(std::string& text, std::initializer_list<std::string> words) {
    bool first = true;
    for (const auto& each : words) {
        if (!first) text += '\t';
        first = false;
        text += word(each);
    }
    text += '\n';
}

void add_limit(std::string& text, const char* name, const HostLimit& limit) {
    add_line(text, {name, std::to_string(limit.soft), std::to_string(limit.hard)});
}

bool read_number_field(std::string_view text, uint64_t& number) {
    const auto read = parse_number<uint64_t>(text);
    if (read) number = *read;
    return read.has_value();
}

bool read_flag(std::string_view text, bool& flag) {
    flag = text == "1";
    return flag || text == "0";
}

bool read_limit(const Fields& words, HostLimit& limit) {
    return words.size() == 3 && read_number_field(words[1], limit.soft) &&
           read_number_field(words[2], limit.hard);
}

bool read_name(const Fields& words, HostFacts& facts) {
    if (words.size() != 4 || facts.names.size() == most_of_a_kind) return false;
    NameFact fact{std::string(words[1]), {}, std::string(words[3])};
    for (const auto address : split(words[2], ','))
        fact.addresses.emplace_back(address);
    facts.names.push_back(std::move(fact));
    return true;
}

bool read_folder(const Fields& words, HostFacts& facts) {
    if (words.size() != 6 || facts.folders.size() == most_of_a_kind) return false;
    FolderFact fact;
    uint64_t use = 0;
    const bool good =
        read_number_field(words[1], use) && use <= static_cast<uint64_t>(FolderFact::Use::last) &&
        read_number_field(words[3], fact.free_bytes) && read_flag(words[4], fact.noexec);
    if (!good) return false;
    fact.use = static_cast<FolderFact::Use>(use);
    fact.path = words[2];
    fact.fault = words[5];
    facts.folders.push_back(std::move(fact));
    return true;
}

bool read_library(const Fields& words, HostFacts& facts) {
    if (words.size() != 3 || facts.libraries.size() == most_of_a_kind) return false;
    facts.libraries.push_back({std::string(words[1]), std::string(words[2])});
    return true;
}

bool read_host(const Fields& words, HostFacts& facts) {
    if (words.size() != 5) return false;
    facts.libc = words[1];
    return read_flag(words[2], facts.is_root) && read_flag(words[3], facts.has_fast_network) &&
           read_flag(words[4], facts.has_wdir);
}

bool read_line(const Fields& words, HostFacts& facts) {
    const auto kind = words[0];
    if (kind == "host") return read_host(words, facts);
    if (kind == "nofile") return read_limit(words, facts.files);
    if (kind == "memlock") return read_limit(words, facts.locked_memory);
    if (kind == "nproc") return read_limit(words, facts.processes);
    if (kind == "name") return read_name(words, facts);
    if (kind == "folder") return read_folder(words, facts);
    if (kind == "library") return read_library(words, facts);
    return kind == "clock" && words.size() == 3 && read_number_field(words[1], facts.clock_us) &&
           read_number_field(words[2], facts.took_us);
}

}  // namespace

std::string facts_text(const HostFacts& facts) {
    const auto flag = [](bool set) { return std::string(set ? "1" : "0"); };
    std::string text(first_line);
    text += '\n';
    add_line(text, {"host", facts.libc, flag(facts.is_root), flag(facts.has_fast_network),
                    flag(facts.has_wdir)});
    add_limit(text, "nofile", facts.files);
    add_limit(text, "memlock", facts.locked_memory);
    add_limit(text, "nproc", facts.processes);
    for (const auto& name : facts.names)
        add_line(text, {"name", name.name, joined(name.addresses, ","), name.fault});
    for (const auto& folder : facts.folders)
        add_line(text, {"folder", std::to_string(static_cast<unsigned>(folder.use)), folder.path,
                        std::to_string(folder.free_bytes), flag(folder.noexec), folder.fault});
    for (const auto& library : facts.libraries)
        add_line(text, {"library", library.name, library.version});
    add_line(text, {"clock", std::to_string(facts.clock_us), std::to_string(facts.took_us)});
    return text.append(last_line).append("\n");
}

std::optional<HostFacts> read_facts(std::string_view text) {
    HostFacts facts;
    bool begun = false;
    while (!text.empty()) {
        const size_t end = text.find('\n');
        if (end == std::string_view::npos) return std::nullopt;
        const auto line = text.substr(0, end);
        text.remove_prefix(end + 1);
        if (begun && line == last_line)
            return text.empty() ? std::optional(std::move(facts)) : std::nullopt;
        const bool good =
            begun ? !line.empty() && read_line(split(line, '\t'), facts) : line == first_line;
        if (!good) return std::nullopt;
        begun = true;
    }
    return std::nullopt;
}

}  // namespace launch
