#include "cmd/command_line.hpp"

#include <algorithm>
#include <utility>

#include "cmd/option_binder.hpp"
#include "cmd/scan.hpp"
#include "cmd/usage_error.hpp"

namespace launch {
namespace {

/// In CLI11's order: the last word first.
std::vector<std::string> canonical_words(const Segment& segment) {
    std::vector<std::string> words;
    for (const auto& given : segment.options) {
        auto word = canonical_name(*given.option);
        if (!given.option->is_flag()) word += '=' + given.value;
        words.push_back(std::move(word));
    }
    std::reverse(words.begin(), words.end());
    return words;
}

/// CLI11 says "--ranks: OBJECTION"; the user may have written -np, so it is said with their words.
Error refused(const CLI::ParseError& error, const Segment& segment) {
    const std::string text = error.what();
    const auto colon = text.find(": ");
    const auto named = [&](const GivenOption& given) {
        return canonical_name(*given.option) == text.substr(0, colon);
    };
    const auto given = std::find_if(segment.options.rbegin(), segment.options.rend(), named);
    if (colon == std::string::npos || given == segment.options.rend()) return usage_error(text);
    return usage_error(given->spelling + text.substr(colon + 1));
}

Status parse_segment(Segment& segment, CommandLine& line) {
    auto& program = line.programs.emplace_back();
    CLI::App app;
    app.set_help_flag();
    try {
        bind_options(app, line, program);
        app.parse(canonical_words(segment));
    } catch (const CLI::ParseError& error) {
        return refused(error, segment);
    } catch (const CLI::Error& error) {
        Error fault;
        fault.operation = "set up the options";
        fault.cause = error.what();
        return fault;
    }
    program.argv = std::move(segment.program);
    for (const auto& given : segment.options)
        line.given.push_back(given.option->id);
    if (!segment.options.empty()) program.last_option = segment.options.back().spelling;
    return Ok{};
}

}  // namespace

Result<CommandLine> parse_command_line(const std::vector<std::string>& words) {
    auto segments = scan_words(words);
    if (!segments) return segments.error();
    CommandLine line;
    for (auto& segment : *segments) {
        const auto parsed = parse_segment(segment, line);
        if (!parsed) return parsed.error();
    }
    return line;
}

}  // namespace launch
