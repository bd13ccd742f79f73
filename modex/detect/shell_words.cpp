// SPDX-License-Identifier: MIT
#include "modex/detect/shell_words.hpp"

#include <algorithm>
#include <utility>

#include "core/base/environment.hpp"

namespace launch {
namespace {

constexpr std::size_t most_words = 1024;

bool is_name_part(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

class Splitter {
  public:
    std::vector<std::vector<std::string>> split(std::string_view text) {
        for (std::size_t i = 0; i < text.size() && words_ < most_words; ++i)
            i = take(text, i);
        end_command();
        return std::move(commands_);
    }

  private:
    /// The position of the last character taken.
    std::size_t take(std::string_view text, std::size_t i) {
        constexpr std::string_view ends_command = "\n;&|()`";
        constexpr std::string_view ends_word = " \t\r<>";
        const char c = text[i];
        if (c == '\'' || c == '"') return take_quoted(text, i);
        if (c == '\\') return take_escaped(text, i);
        if (c == '#' && !in_word_) return std::min(text.find('\n', i), text.size()) - 1;
        if (ends_command.find(c) != ends_command.npos) {
            end_command();
        } else if (ends_word.find(c) != ends_word.npos) {
            end_word();
        } else {
            add(c);
        }
        return i;
    }

    std::size_t take_quoted(std::string_view text, std::size_t i) {
        const char quote = text[i];
        in_word_ = true;
        for (++i; i < text.size() && text[i] != quote; ++i) {
            const bool escapes = quote == '"' && text[i] == '\\' && i + 1 < text.size() &&
                                 (text[i + 1] == '"' || text[i + 1] == '\\');
            if (escapes) ++i;
            add(text[i]);
        }
        return i;
    }

    std::size_t take_escaped(std::string_view text, std::size_t i) {
        if (++i < text.size() && text[i] != '\n') add(text[i]);
        return i;
    }

    void add(char c) {
        word_ += c;
        in_word_ = true;
    }

    void end_word() {
        if (in_word_) {
            command_.push_back(std::exchange(word_, {}));
            ++words_;
        }
        in_word_ = false;
    }

    void end_command() {
        end_word();
        if (!command_.empty()) commands_.push_back(std::exchange(command_, {}));
    }

    std::vector<std::vector<std::string>> commands_;
    std::vector<std::string> command_;
    std::string word_;
    bool in_word_ = false;
    std::size_t words_ = 0;
};

}  // namespace

std::vector<std::vector<std::string>> shell_commands(std::string_view text) {
    return Splitter().split(text);
}

std::string expand_variables(std::string_view word, const std::vector<std::string>& env) {
    std::string text;
    while (!word.empty()) {
        const auto dollar = std::min(word.find('$'), word.size());
        text += word.substr(0, dollar);
        word.remove_prefix(dollar);
        if (word.empty()) break;
        const bool braces = word.starts_with("${");
        word.remove_prefix(braces ? 2 : 1);
        const auto* end = std::find_if_not(word.begin(), word.end(), is_name_part);
        const auto size = static_cast<std::size_t>(end - word.begin());
        const std::string value = env_value(env, std::string(word.substr(0, size)));
        const bool closed = !braces || (size < word.size() && word[size] == '}');
        if (value.empty() || !closed) return {};
        text += value;
        word.remove_prefix(size + (braces ? 1 : 0));
    }
    return text;
}

bool is_assignment(std::string_view word) {
    const auto name = word.substr(0, word.find('='));
    const bool starts_as_one = !name.empty() && (name[0] < '0' || name[0] > '9');
    return starts_as_one && name.size() < word.size() &&
           std::all_of(name.begin(), name.end(), is_name_part);
}

}  // namespace launch
