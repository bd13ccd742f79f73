// SPDX-License-Identifier: MIT
#include "cmd/options/values.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "cmd/options/usage_error.hpp"
#include "core/base/list_text.hpp"
#include "core/base/number_text.hpp"

namespace launch {
namespace {

struct Unit {
    std::string_view name;
    double milliseconds;
};

constexpr auto units = std::to_array<Unit>({
    {"", 1000},
    {"s", 1000},
    {"ms", 1},
    {"m", 60'000},
    {"h", 3'600'000},
});

/// In the order of resource_names.
constexpr auto resource_helps = std::to_array<std::string_view>(
    {"address space", "size of a core file", "processor time", "data segment", "size of a file",
     "locked memory", "open files", "processes", "resident memory", "stack"});
static_assert(resource_helps.size() == resource_names.size());

struct FormatName {
    std::string_view name;
    std::string_view help;
};

/// As values of Format are numbered.
constexpr auto format_names = std::to_array<FormatName>({
    {"text", "for people"},
    {"json", "for scripts"},
    {"toml", "the job as a job file"},
    {"dot", "the tree for Graphviz"},
    {"svg", "a picture"},
    {"html", "a page with the picture and a table of all ranks"},
});
static_assert(format_names.size() == static_cast<size_t>(Format::html) + 1);

const FormatName& name_of(Format format) {
    return format_names.at(static_cast<size_t>(format));
}

}  // namespace

std::string read_flag(std::string_view text, bool& flag) {
    flag = text == "true";
    return flag || text == "false" ? "" : "neither true nor false";
}

std::string write_flag(bool flag) {
    return flag ? "true" : "";
}

std::string read_number(std::string_view text, uint64_t min, uint64_t max, uint64_t& number) {
    const auto read = parse_number<uint64_t>(text);
    number = read.value_or(0);
    if (read && number >= min && number <= max) return {};
    return "not a whole number from " + std::to_string(min) + " to " + std::to_string(max);
}

std::string read_duration(std::string_view text, milliseconds& duration) {
    constexpr double year = 365 * 24 * 3'600'000.0;
    const char* end = text.data() + text.size();
    double number = -1;
    const auto [rest, failure] =
        std::from_chars(text.data(), end, number, std::chars_format::fixed);
    const std::string_view suffix(rest, static_cast<size_t>(end - rest));
    const auto* unit =
        std::find_if(units.begin(), units.end(), [&](const Unit& u) { return u.name == suffix; });
    const bool read = failure == std::errc() && unit != units.end();
    // "inf" and "nan" are numbers too, to from_chars.
    if (!read || !std::isfinite(number) || std::signbit(number))
        return "not a time such as 10, 1.5s, 200ms, 2m or 1h";
    const double total = number * unit->milliseconds;
    if (total > year) return "longer than a year";
    // Rounded up: what is not zero must not become zero, which often means never.
    duration = milliseconds(static_cast<int64_t>(std::ceil(total)));
    return {};
}

std::string read_duration_above_zero(std::string_view text, milliseconds& duration) {
    auto objection = read_duration(text, duration);
    return objection.empty() && duration.count() == 0 ? "must be above 0" : objection;
}

std::string write_duration(milliseconds duration) {
    const auto count = duration.count();
    return count % 1000 == 0 ? std::to_string(count / 1000) + "s" : std::to_string(count) + "ms";
}

std::string read_stdin_target(std::string_view text, StdinTarget& target) {
    if (text == "all") {
        target = {StdinTarget::Kind::all, 0};
    } else if (text == "none") {
        target = {StdinTarget::Kind::none, 0};
    } else {
        uint64_t rank = 0;
        if (!read_number(text, 0, INT32_MAX, rank).empty()) return "expected a rank, all or none";
        target = {StdinTarget::Kind::rank, static_cast<uint32_t>(rank)};
    }
    return {};
}

std::string write_stdin_target(StdinTarget target) {
    if (target.kind == StdinTarget::Kind::rank) return std::to_string(target.rank);
    return target.kind == StdinTarget::Kind::all ? "all" : "none";
}

std::string read_resources(std::string_view text, Resources& resources) {
    resources.reset();
    if (text == "all") resources.set();
    if (text == "all" || text == "none") return {};
    for (bool more = true; more;) {
        const size_t comma = text.find(',');
        Resource resource{};
        auto objection = read_choice(text.substr(0, comma), resource_names, resource);
        if (!objection.empty()) return "neither all nor none, and " + objection;
        resources.set(static_cast<size_t>(resource));
        more = comma != std::string_view::npos;
        text.remove_prefix(more ? comma + 1 : text.size());
    }
    return {};
}

std::string write_resources(Resources resources) {
    if (resources.all()) return "all";
    std::string text;
    for (size_t i = 0; i < resources.size(); ++i)
        if (resources[i]) append_part(text, ",", resource_names.at(i));
    return text.empty() ? "none" : text;
}

std::vector<ChoiceWord> resource_words() {
    std::vector<ChoiceWord> words{{"all", "every limit, the default"}, {"none", "no limit"}};
    for (size_t i = 0; i < resource_names.size(); ++i)
        words.push_back({std::string(resource_names.at(i)), std::string(resource_helps.at(i))});
    return words;
}

std::string read_ports(std::string_view text, PortRange& ports) {
    const size_t dash = text.find('-');
    const std::string_view last = dash == std::string_view::npos ? text : text.substr(dash + 1);
    uint64_t from = 0;
    uint64_t to = 0;
    for (const auto& [word, port] : {std::pair{text.substr(0, dash), &from}, std::pair{last, &to}})
        if (!read_number(word, 1, UINT16_MAX, *port).empty())
            return "not a range of ports such as 5000-5100";
    if (from > to) return "its end is before its beginning";
    ports = {static_cast<uint16_t>(from), static_cast<uint16_t>(to)};
    return {};
}

std::string write_ports(PortRange ports) {
    if (ports == PortRange{}) return {};
    return std::to_string(ports.first) + "-" + std::to_string(ports.last);
}

std::vector<ChoiceWord> standard_input_word() {
    return {{"-", "standard input"}};
}

std::vector<std::string> split_commas(std::string_view text) {
    std::vector<std::string> words;
    for_each_part(text, ',', [&](std::string_view word) {
        if (!word.empty()) words.emplace_back(word);
    });
    return words;
}

std::vector<std::string> last_of_each(const std::vector<std::string>& pairs) {
    std::vector<std::string> kept;
    for (const auto& pair : pairs) {
        const auto name = pair.substr(0, pair.find('=') + 1);
        std::erase_if(kept, [&](const auto& other) { return other.starts_with(name); });
        kept.push_back(pair);
    }
    return kept;
}

std::string find_choice(std::string_view text, std::span<const std::string_view> names,
                        size_t& index) {
    const auto found = std::find(names.begin(), names.end(), text);
    index = static_cast<size_t>(found - names.begin());
    if (found != names.end()) return {};
    std::string objection = "not one of";
    for (size_t i = 0; i < names.size(); ++i)
        objection.append(i == 0 ? " " : i + 1 < names.size() ? ", " : " and ").append(names[i]);
    return objection + did_you_mean(nearest(text, names));
}

std::string read_format(std::string_view text, std::span<const Format> may_be, Format& format) {
    std::vector<std::string_view> names;
    for (const auto each : may_be)
        names.push_back(name_of(each).name);
    size_t index = 0;
    auto objection = find_choice(text, names, index);
    if (objection.empty()) format = may_be[index];
    return objection;
}

std::string write_format(Format format) {
    return std::string(name_of(format).name);
}

std::vector<ChoiceWord> format_words(std::span<const Format> may_be) {
    std::vector<ChoiceWord> words;
    for (const auto each : may_be)
        words.push_back({std::string(name_of(each).name), std::string(name_of(each).help)});
    return words;
}

std::string absolute(const std::string& path, const std::string& folder) {
    if (path.starts_with('/') || folder.empty()) return path;
    return (folder == "/" ? folder : folder + "/") + path;
}

std::string absolute_value(const OptionRow& option, const std::string& text,
                           const std::string& folder) {
    if (option.value.kind != Kind::path || text.empty()) return text;
    if (option.completes == Completes::place_and_folder) {
        const auto folder_at = text.rfind(':') + 1;  // npos + 1 is 0
        return text.substr(0, folder_at) + absolute(text.substr(folder_at), folder);
    }
    const auto words =
        option.value.words == nullptr ? std::vector<ChoiceWord>{} : option.value.words();
    const bool is_word = std::any_of(words.begin(), words.end(),
                                     [&](const ChoiceWord& word) { return word.text == text; });
    return is_word ? text : absolute(text, folder);
}

}  // namespace launch
