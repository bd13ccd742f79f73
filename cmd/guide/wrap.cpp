// SPDX-License-Identifier: MIT
#include "cmd/guide/wrap.hpp"

#include <utility>

namespace launch::guide {
namespace {

/// Takes characters and gives words, between spaces where these part words.
class WordMaker {
  public:
    void put(char c, bool parts) {
        if (c != ' ' || !parts) {
            word_ += c;
        } else {
            end_word();
        }
    }

    std::vector<std::string> take() {
        end_word();
        return std::move(words_);
    }

  private:
    void end_word() {
        if (!word_.empty()) words_.push_back(std::exchange(word_, {}));
    }

    std::string word_;
    std::vector<std::string> words_;
};

}  // namespace

std::vector<std::string> wrap(const std::vector<std::string>& words, size_t columns) {
    std::vector<std::string> lines;
    for (const auto& word : words) {
        const bool fits = !lines.empty() && lines.back().size() + 1 + word.size() <= columns;
        if (fits) {
            lines.back().append(" ").append(word);
        } else {
            lines.push_back(word);
        }
    }
    return lines;
}

std::vector<std::string> plain_words(const Text& text, size_t columns) {
    WordMaker words;
    for (const auto& span : text) {
        const bool parts = span.style != Style::code || span.text.size() > columns;
        for (const char c : span.text)
            words.put(c, parts);
    }
    return words.take();
}

std::string plain(const Text& text) {
    std::string all;
    for (const auto& span : text)
        all += span.text;
    return all;
}

std::string indented(const std::vector<std::string>& lines, size_t indent) {
    std::string text;
    for (const auto& line : lines)
        text.append(line.empty() ? 0 : indent, ' ').append(line).append("\n");
    return text;
}

}  // namespace launch::guide
