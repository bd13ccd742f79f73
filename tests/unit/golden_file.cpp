// SPDX-License-Identifier: MIT
#include "tests/unit/golden_file.hpp"

#include <algorithm>
#include <sstream>

namespace launch {
namespace {

/// Each line after a mark; an empty line has no space after it.
std::string marked(const char* first, const char* others, const std::string& text) {
    std::string lines;
    std::istringstream in(text);
    const char* mark = first;
    for (std::string line; std::getline(in, line); mark = others)
        lines += mark + (line.empty() ? "" : " " + line) + "\n";
    return lines.empty() ? std::string(first) + "\n" : lines;
}

std::string rest_of(const std::string& line) {
    return line.size() > 2 ? line.substr(2) : "";
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

std::string joined_from(const std::vector<std::string>& lines, size_t begin) {
    constexpr size_t most = 8;
    std::string text;
    for (size_t i = begin; i < std::min(lines.size(), begin + most); ++i)
        text += "    " + lines[i] + "\n";
    return text.empty() ? "    (nothing)\n" : text;
}

}  // namespace

std::vector<GoldenSection> read_golden(const std::string& text) {
    std::vector<GoldenSection> sections;
    bool first_line = false;  // of what comes of the last input
    for (const auto& line : lines_of(text)) {
        if (line.empty()) continue;
        const bool belongs = !sections.empty() && !sections.back().steps.empty();
        if (line.starts_with("$") && !sections.empty()) {
            sections.back().steps.push_back({rest_of(line), {}});
            first_line = true;
        } else if (line.starts_with(">") && belongs) {
            sections.back().steps.back().input += "\n" + rest_of(line);
        } else if (line.starts_with("|") && belongs) {
            sections.back().steps.back().text += (first_line ? "" : "\n") + rest_of(line);
            first_line = false;
        } else if (line.find('.') != line.npos && line.find(' ') == line.npos) {
            sections.push_back({line, {}});
        }
    }
    return sections;
}

std::string write_golden(const std::vector<GoldenStep>& steps) {
    std::string text;
    for (const auto& step : steps)
        text +=
            marked("$", ">", step.input) + (step.text.empty() ? "" : marked("|", "|", step.text));
    return text;
}

std::string write_golden(const std::vector<GoldenSection>& sections) {
    std::string text;
    for (const auto& section : sections)
        text += (text.empty() ? "" : "\n") + section.test + "\n\n" + write_golden(section.steps);
    return text;
}

std::string golden_difference(const std::vector<GoldenStep>& golden,
                              const std::vector<GoldenStep>& now) {
    const auto said = lines_of(write_golden(golden));
    const auto says = lines_of(write_golden(now));
    if (said == says) return {};
    const auto [old_end, new_end] =
        std::mismatch(said.begin(), said.end(), says.begin(), says.end());
    const auto same = static_cast<size_t>(old_end - said.begin());
    const size_t begin = same - std::min<size_t>(same, 1);  // with the line before, often the input
    return "golden:\n" + joined_from(said, begin) + "now:\n" + joined_from(says, begin);
}

std::string golden_name(const std::string& source) {
    const std::string folder = "tests/unit/";
    const std::string ending = "_test.cpp";
    const auto begin = source.rfind(folder);
    if (begin == source.npos || !source.ends_with(ending)) return {};
    const std::string path = source.substr(begin + folder.size());
    return path.substr(0, path.size() - ending.size()) + ".txt";
}

}  // namespace launch
