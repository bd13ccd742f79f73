// SPDX-License-Identifier: MIT
#include "cmd/jobfile/split_command.hpp"

#include <utility>

#include "cmd/options/usage_error.hpp"

namespace launch {
namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr const char* open_quote = "a quote is not closed";

class Splitter {
  public:
    explicit Splitter(std::string_view text) : text_(text) {}

    Result<std::vector<std::string>> run() {
        std::vector<std::string> words;
        for (skip_blanks(); !text_.empty(); skip_blanks()) {
            words.emplace_back();
            while (!text_.empty() && blanks.find(text_.front()) == std::string_view::npos)
                if (const char* fault = take_part(words.back())) return usage_error(fault);
        }
        return words;
    }

  private:
    void skip_blanks() {
        while (!text_.empty() && blanks.find(text_.front()) != std::string_view::npos)
            text_.remove_prefix(1);
    }

    char next() {
        const char c = text_.front();
        text_.remove_prefix(1);
        return c;
    }

    // Each takes a part of a word, and returns what is wrong with it, or null.

    const char* take_part(std::string& word) {
        const char c = next();
        if (c == '\'') return take_single(word);
        if (c == '"') return take_double(word);
        if (c == '\\') return take_escaped(word);
        word += c;
        return nullptr;
    }

    const char* take_escaped(std::string& word) {
        if (text_.empty()) return "a backslash ends it, and stands before nothing";
        word += next();
        return nullptr;
    }

    const char* take_single(std::string& word) {
        const auto end = text_.find('\'');
        if (end == std::string_view::npos) return open_quote;
        word += text_.substr(0, end);
        text_.remove_prefix(end + 1);
        return nullptr;
    }

    const char* take_double(std::string& word) {
        while (!text_.empty()) {
            const char c = next();
            if (c == '"') return nullptr;
            const bool escapes =
                c == '\\' && !text_.empty() &&
                std::string_view("$`\"\\").find(text_.front()) != std::string_view::npos;
            word += escapes ? next() : c;
        }
        return open_quote;
    }

    std::string_view text_;
};

}  // namespace

Result<std::vector<std::string>> split_command(std::string_view text) {
    return Splitter(text).run();
}

}  // namespace launch
