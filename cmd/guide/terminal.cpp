// SPDX-License-Identifier: MIT
#include <algorithm>

#include "cmd/guide/print.hpp"

namespace launch::guide {
namespace {

constexpr size_t page_width = 80;
constexpr size_t left_margin = 2;
constexpr size_t deeper = 4;
constexpr size_t widest_first_column = 26;

/// `indent` spaces before each line.
std::string indented(const std::vector<std::string>& lines, size_t indent) {
    std::string text;
    for (const auto& line : lines)
        text.append(line.empty() ? 0 : indent, ' ').append(line).append("\n");
    return text;
}

std::string filled(const Text& text, size_t indent) {
    return indented(wrapped(text, page_width - indent), indent);
}

class TerminalPage {
  public:
    explicit TerminalPage(bool colour) : colour_(colour) {}

    void title(const std::string& words) { text_ += bold(words) + "\n"; }

    void operator()(const Heading& heading) {
        text_ += "\n";
        for (const auto& line : wrapped({{Style::plain, heading.words}}, page_width))
            text_ += bold(line) + "\n";
        after_heading_ = true;
    }

    void operator()(const Paragraph& paragraph) {
        begin_block();
        text_ += filled(paragraph.text, left_margin);
    }

    void operator()(const Bullets& bullets) {
        begin_block();
        for (const auto& item : bullets.items) {
            auto lines = filled(item, deeper);
            lines[left_margin] = '-';
            text_ += lines;
        }
    }

    void operator()(const Verbatim& verbatim) {
        begin_block();
        text_ += indented(verbatim.lines, deeper);
    }

    void operator()(const Table& table) {
        begin_block();
        const size_t column = second_column(table);
        if (table.heads) row(*table.heads, column);
        for (const auto& each : table.rows)
            row(each, column);
    }

    void operator()(const Entries& entries) {
        for (const auto& entry : entries.list) {
            begin_block();
            text_ += indented({entry.term}, left_margin);
            text_ += filled(entry.text, left_margin + deeper);
        }
    }

    /// A directive that was not expanded shows nothing.
    void operator()(const Directive&) {}

    std::string take() { return std::move(text_); }

  private:
    std::string bold(const std::string& words) const {
        return colour_ ? "\033[1m" + words + "\033[0m" : words;
    }

    /// An empty line between blocks, none below a heading.
    void begin_block() {
        if (!after_heading_) text_ += "\n";
        after_heading_ = false;
    }

    static size_t second_column(const Table& table) {
        size_t widest = table.heads ? plain((*table.heads)[0]).size() : 0;
        for (const auto& row : table.rows)
            widest = std::max(widest, plain(row[0]).size());
        return left_margin + std::min(widest, widest_first_column) + 2;
    }

    /// A first cell that is too wide has a line of its own.
    void row(const Table::Row& row, size_t column) {
        std::string left = std::string(left_margin, ' ') + plain(row[0]);
        if (left.size() + 2 > column) {
            text_ += left + "\n";
            left.clear();
        }
        for (const auto& line : wrapped(row[1], page_width - column)) {
            left.resize(column, ' ');
            text_ += left + line + "\n";
            left.clear();
        }
    }

    bool colour_;
    bool after_heading_ = false;
    std::string text_;
};

}  // namespace

std::string plain(const Text& text) {
    std::string all;
    for (const auto& span : text)
        all += span.text;
    return all;
}

std::vector<std::string> wrapped(const Text& text, size_t columns) {
    std::vector<std::string> words{""};
    for (const auto& span : text) {
        const bool parts = span.style != Style::code || span.text.size() > columns;
        for (const char c : span.text) {
            if (c == ' ' && parts)
                words.emplace_back();
            else
                words.back() += c;
        }
    }
    std::erase(words, "");
    std::vector<std::string> lines;
    for (const auto& word : words) {
        if (!lines.empty() && lines.back().size() + 1 + word.size() <= columns)
            lines.back().append(" ").append(word);
        else
            lines.push_back(word);
    }
    return lines;
}

std::string terminal_text(const Document& document, bool colour) {
    TerminalPage page(colour);
    page.title(document.name + ": " + document.summary);
    for (const auto& block : document.blocks)
        std::visit(page, block);
    return page.take();
}

}  // namespace launch::guide
