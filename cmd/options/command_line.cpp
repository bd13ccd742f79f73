#include "cmd/options/command_line.hpp"

#include <span>
#include <utility>

namespace launch {

Result<Source> read_command_line(const std::vector<std::string>& words, const WordRules& rules) {
    auto segments = scan_words(words, rules);
    if (!segments) return std::move(segments.error());
    Source source;
    if (segments->back().asks_about_launch()) {
        source.given.push_back(segments->back().options.back());
        return source;
    }
    for (auto& segment : *segments) {
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

Result<Settings> parse_command_line(const std::vector<std::string>& words) {
    const auto source = read_command_line(words);
    if (!source) return source.error();
    return resolve(std::span(&*source, 1));
}

}  // namespace launch
