// SPDX-License-Identifier: MIT
#include "cmd/config_file.hpp"

#include <algorithm>
#include <utility>

#include "cmd/jobfile/split_command.hpp"
#include "cmd/options/usage_error.hpp"
#include "core/base/file_text.hpp"

namespace launch {
namespace {

bool is_config_option(std::string_view word) {
    return word.starts_with('-') && without_dashes(word) == "configfile";
}

Result<CommandWords> words_of_file(const std::string& option, const std::string& path) {
    if (path.empty()) return usage_error(option + " needs a value: FILE");
    const auto [text, reason] = read_file(path);
    if (reason != 0) return unreadable("read the file of " + option, path, reason);
    return words_of_lines(text, path);
}

bool is_comment(std::string_view line) {
    return line.substr(std::min(line.find_first_not_of(" \t"), line.size())).starts_with('#');
}

/// The last backslash is not itself escaped.
bool goes_on(std::string_view line) {
    const auto last = line.find_last_not_of('\\');
    const size_t backslashes = line.size() - (last == std::string_view::npos ? 0 : last + 1);
    return backslashes % 2 == 1 && !is_comment(line);
}

/// Lines of a file, each with those that continue it.
class LineReader {
  public:
    explicit LineReader(std::string_view text) : text_(text) {}

    bool read(std::string& line) {
        if (text_.empty()) return false;
        line.clear();
        begin_ = next_;
        line = take();
        while (goes_on(line) && !text_.empty()) {
            line.pop_back();
            line += take();
        }
        return true;
    }
    /// The number of the line with which the last read() began, from 1.
    size_t number() const { return begin_; }

  private:
    std::string take() {
        const auto end = std::min(text_.find('\n'), text_.size());
        std::string line(text_.substr(0, end));
        text_.remove_prefix(std::min(end + 1, text_.size()));
        if (line.ends_with('\r')) line.pop_back();
        ++next_;
        return line;
    }

    std::string_view text_;
    size_t begin_ = 0;
    size_t next_ = 1;
};

}  // namespace

Result<CommandWords> words_of_lines(std::string_view text, const std::string& name) {
    CommandWords made{.separator = "\n"};
    auto& words = made.words;
    LineReader lines(text);
    for (std::string line; lines.read(line);) {
        if (is_comment(line)) continue;
        auto place = shown_path(name) + ":" + std::to_string(lines.number());
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
    if (words.empty() || words.size() > 2) return CommandWords{.words = words};
    const std::string& first = words[0];
    const auto equals = std::min(first.find('='), first.size());
    const std::string option = first.substr(0, equals);
    if (!is_config_option(option)) return CommandWords{.words = words};
    if (equals == first.size()) return words_of_file(option, words.size() == 2 ? words[1] : "");
    return words.size() == 1 ? words_of_file(option, first.substr(equals + 1))
                             : CommandWords{.words = words};
}

}  // namespace launch
