// SPDX-License-Identifier: MIT
#include "cmd/options/format.hpp"

namespace launch {
namespace {

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

}  // namespace launch
