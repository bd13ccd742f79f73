#include "cmd/plain_words.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "cmd/options/suggest.hpp"
#include "cmd/options/usage_error.hpp"

namespace launch {

Result<std::vector<std::string>> read_plain_words(CLI::App& app, std::string_view subcommand,
                                                  std::vector<std::string> words) {
    const std::string before = std::string(subcommand) + ": ";
    app.allow_extras();
    std::reverse(words.begin(), words.end());  // CLI11's order: the last word first
    try {
        app.parse(std::move(words));
    } catch (const CLI::ParseError& error) {
        return usage_error(before + error.what());
    }
    auto others = app.remaining();
    const auto option = std::find_if(others.begin(), others.end(), [](const std::string& word) {
        return word.starts_with('-') && word != "-";  // which is standard input
    });
    if (option != others.end()) return usage_error(before + "unknown option " + shown(*option));
    return others;
}

}  // namespace launch
