// SPDX-License-Identifier: MIT
#include "cmd/options/command_line.hpp"

#include <span>
#include <utility>

namespace launch {

namespace {

Source source_of(std::vector<Segment> segments) {
    Source source;
    if (segments.back().asks_about_launch()) {
        source.given.push_back(segments.back().options.back());
        return source;
    }
    for (auto& segment : segments) {
        // Without a program of their own (a job file has them) options hold for all programs.
        if (segment.program.empty()) {
            source.given.insert(source.given.end(), segment.options.begin(), segment.options.end());
            continue;
        }
        auto& program = source.programs.emplace_back();
        program.argv = std::move(segment.program);
        if (!segment.options.empty()) program.last_option = segment.options.back().origin.name;
        for (auto& given : segment.options) {
            auto& scope = given.option->scope == Scope::program ? program.given : source.given;
            scope.push_back(std::move(given));
        }
    }
    return source;
}

}  // namespace

CommandLine read_words(const std::vector<std::string>& words, const WordRules& rules) {
    auto scanned = scan_all(words, rules);
    CommandLine line{{}, std::move(scanned.mistakes), std::move(scanned.notes)};
    if (scanned.is_clear) line.source = source_of(std::move(scanned.segments));
    return line;
}

Result<Source> read_command_line(const std::vector<std::string>& words, const WordRules& rules) {
    auto line = read_words(words, rules);
    if (!line.mistakes.empty()) return line.mistakes.take();
    return std::move(line.source);
}

Result<Settings> parse_command_line(const std::vector<std::string>& words) {
    const auto source = read_command_line(words);
    if (!source) return source.error();
    return resolve(std::span(&*source, 1));
}

}  // namespace launch
