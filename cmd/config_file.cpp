#include "cmd/config_file.hpp"

#include <sstream>

#include "cmd/jobfile/split_command.hpp"
#include "cmd/options/suggest.hpp"
#include "cmd/options/usage_error.hpp"
#include "core/base/file_text.hpp"

namespace launch {
namespace {

bool is_config_option(const std::string& word) {
    return word.starts_with('-') && without_dashes(word) == "configfile";
}

}  // namespace

Result<std::vector<std::string>> words_of_lines(std::string_view text, const std::string& name) {
    std::vector<std::string> words;
    std::istringstream lines{std::string(text)};
    size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        const auto first = line.find_first_not_of(" \t\r");
        if (first == std::string::npos || line[first] == '#') continue;
        const auto split = split_command(line);
        if (!split)
            return usage_error(name + ":" + std::to_string(number) + ": " + split.error().cause);
        if (!words.empty()) words.emplace_back(":");
        words.insert(words.end(), split->begin(), split->end());
    }
    if (words.empty()) return usage_error(name + ": no program in it");
    return words;
}

Result<std::vector<std::string>> with_config_file(const std::vector<std::string>& words) {
    if (words.size() != 2 || !is_config_option(words[0])) return words;
    const auto [text, reason] = read_file(words[1]);
    if (reason != 0) return unreadable("read the file of " + words[0] + " " + words[1], reason);
    return words_of_lines(text, words[1]);
}

}  // namespace launch
