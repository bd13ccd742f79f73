#include "cmd/config_file.hpp"

#include <algorithm>
#include <sstream>

#include "cmd/jobfile/split_command.hpp"
#include "cmd/options/suggest.hpp"
#include "cmd/options/usage_error.hpp"
#include "core/base/file_text.hpp"

namespace launch {
namespace {

bool is_config_option(std::string_view word) {
    return word.starts_with('-') && without_dashes(word) == "configfile";
}

Result<std::vector<std::string>> words_of_file(const std::string& option, const std::string& path) {
    if (path.empty()) return usage_error(option + " needs a value: FILE");
    const auto [text, reason] = read_file(path);
    if (reason != 0) return unreadable("read the file of " + option, path, reason);
    return words_of_lines(text, path);
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
            return usage_error(shown_path(name) + ":" + std::to_string(number) + ": " +
                               split.error().cause);
        if (!words.empty()) words.emplace_back(":");
        words.insert(words.end(), split->begin(), split->end());
    }
    if (words.empty()) return usage_error(shown_path(name) + ": no program in it");
    return words;
}

Result<std::vector<std::string>> with_config_file(const std::vector<std::string>& words) {
    if (words.empty() || words.size() > 2) return words;
    const std::string& first = words[0];
    const auto equals = std::min(first.find('='), first.size());
    const std::string option = first.substr(0, equals);
    if (!is_config_option(option)) return words;
    if (equals == first.size()) return words_of_file(option, words.size() == 2 ? words[1] : "");
    return words.size() == 1 ? words_of_file(option, first.substr(equals + 1)) : words;
}

}  // namespace launch
