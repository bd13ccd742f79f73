// SPDX-License-Identifier: MIT
#include "cmd/job_word.hpp"

#include <algorithm>
#include <cerrno>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "cmd/jobfile/split_command.hpp"
#include "cmd/options/usage_error.hpp"
#include "core/base/base_name.hpp"
#include "core/base/environment.hpp"
#include "core/base/file_text.hpp"
#include "core/base/list_text.hpp"
#include "core/process/program_search.hpp"

namespace launch {
namespace {

bool is_comment(std::string_view line) {
    return line.substr(std::min(line.find_first_not_of(" \t"), line.size())).starts_with('#');
}

/// The last backslash is not itself escaped.
bool goes_on(std::string_view line) {
    const auto last = line.find_last_not_of('\\');
    const size_t backslashes = line.size() - (last == std::string_view::npos ? 0 : last + 1);
    return backslashes % 2 == 1 && !is_comment(line);
}

/// Takes the first line off a text, and returns it without its end.
std::string take_line(std::string_view& text) {
    const auto end = std::min(text.find('\n'), text.size());
    std::string line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.pop_back();
    return line;
}

}  // namespace

bool is_run_by_launch(std::string_view first_bytes) {
    if (!first_bytes.starts_with("#!")) return false;
    std::string line(first_bytes.substr(2, first_bytes.find('\n') - 2));
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c == '\t' || c == '\r'; }, ' ');
    bool named = false;
    for_each_part(line, ' ',
                  [&](std::string_view word) { named = named || base_name(word) == "launch"; });
    return named;
}

bool is_job_file(const std::string& word) {
    if (!word.ends_with(".toml")) return false;
    struct stat info {};
    if (stat(word.c_str(), &info) != 0)
        return is_absent(errno) && !is_in_path(word, env_value(own_environment(), "PATH"));
    if (!S_ISREG(info.st_mode)) return false;
    constexpr size_t kernel_reads = 256;
    return access(word.c_str(), X_OK) != 0 || is_run_by_launch(read_file(word, kernel_reads).text);
}

Result<CommandWords> words_of_lines(std::string_view text, const std::string& name) {
    CommandWords made{.separator = "\n"};
    auto& words = made.words;
    for (size_t number = 0; !text.empty();) {
        auto place = shown_path(name) + ":" + std::to_string(++number);
        std::string line = take_line(text);
        for (; goes_on(line) && !text.empty(); ++number) {
            line.pop_back();
            line += take_line(text);
        }
        if (is_comment(line)) continue;
        const auto split = split_command(line);
        if (!split) return usage_error(place + ": " + split.error().cause);
        if (split->empty()) continue;
        made.places.push_back(std::move(place));
        if (!words.empty()) words.push_back(made.separator);
        words.insert(words.end(), split->begin(), split->end());
    }
    if (words.empty()) return usage_error(shown_path(name) + ": no program in it");
    return made;
}

Result<CommandWords> with_config_file(const std::vector<std::string>& words) {
    const CommandWords unchanged{.words = words};
    if (words.empty() || words.size() > 2) return unchanged;
    const auto equals = words[0].find('=');
    const std::string option = words[0].substr(0, equals);
    if (!option.starts_with('-') || without_dashes(option) != "configfile") return unchanged;
    const bool has_value = equals != std::string::npos;
    if (has_value && words.size() == 2) return unchanged;
    const std::string path = has_value           ? words[0].substr(equals + 1)
                             : words.size() == 2 ? words[1]
                                                 : "";
    if (path.empty()) return usage_error(option + " needs a value: FILE");
    const auto [text, reason] = read_file(path);
    if (reason != 0) return unreadable("read the file of " + option, path, reason);
    return words_of_lines(text, path);
}

}  // namespace launch
