// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "cmd/guide/document.hpp"
#include "core/base/list_text.hpp"

namespace launch::guide {
namespace {

struct Mark {
    std::string_view sign;
    Style style;
};

constexpr Mark code{"`", Style::code};
constexpr Mark bold{"**", Style::bold};

/// The mark that comes first from here on; null where none does.
const Mark* next_mark(std::string_view words) {
    const size_t tick = words.find(code.sign);
    const size_t stars = words.find(bold.sign);
    if (tick == stars) return nullptr;  // neither is there
    return tick < stars ? &code : &bold;
}

std::string_view trimmed(std::string_view text) {
    const size_t first = text.find_first_not_of(' ');
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

std::vector<std::string> words_of(std::string_view line) {
    std::vector<std::string> words;
    for_each_part(line, ' ', [&](std::string_view word) {
        if (!word.empty()) words.emplace_back(word);
    });
    return words;
}

/// The cells of "| a | b |"; a bar within `code` parts nothing.
std::vector<std::string_view> cells_of(std::string_view line) {
    std::vector<std::string_view> cells;
    bool in_code = false;
    size_t begin = 1;
    for (size_t i = 1; i < line.size(); ++i) {
        if (line[i] == '`') in_code = !in_code;
        if (line[i] != '|' || in_code) continue;
        cells.push_back(trimmed(line.substr(begin, i - begin)));
        begin = i + 1;
    }
    return cells;
}

bool is_remark(std::string_view line) {
    return line.starts_with("<!--") && line.ends_with("-->");
}

/// Whether Markdown reads the line as something that pages do not have.
bool is_foreign(std::string_view line) {
    const auto begins = [&](std::string_view sign) { return line.starts_with(sign); };
    return begins("#") || begins("* ") || begins("+ ") || begins("> ") || begins("1.") ||
           begins(" ") || line.find("](") != std::string_view::npos;
}

bool begins_block(std::string_view line) {
    return line.empty() || line.starts_with("## ") || line.starts_with("- ") ||
           line.starts_with("```") || line.starts_with("|") || line.starts_with("@") ||
           is_remark(line);
}

/// Reads until the first fault.
class DocumentReader {
  public:
    explicit DocumentReader(std::string_view text) : lines_(split(text, '\n')) {}

    Result<Document> run() {
        check_bytes();
        read_title();
        while (!fault_ && at_ < lines_.size())
            read_block();
        if (fault_) return *std::move(fault_);
        return std::move(document_);
    }

  private:
    void fail(const std::string& cause) {
        const size_t line = std::min(at_ + 1, lines_.size());
        if (!fault_) fault_ = page_fault("line " + std::to_string(line) + ": " + cause);
    }

    Text text_in(std::string_view words) {
        auto text = read_text(words);
        if (text) return *std::move(text);
        fail(text.error().cause);
        return {};
    }

    void add(Block block) { document_.blocks.push_back(std::move(block)); }

    bool goes_on_with(std::string_view sign) const {
        return at_ < lines_.size() && lines_[at_].starts_with(sign);
    }

    /// One byte is one column, everywhere.
    void check_bytes() {
        const auto strange = [](char c) { return c < ' ' || c > '~'; };
        for (at_ = 0; at_ < lines_.size(); ++at_)
            if (std::any_of(lines_[at_].begin(), lines_[at_].end(), strange))
                fail("not plain ASCII");
        at_ = 0;
    }

    void read_title() {
        const auto line = lines_.empty() ? std::string_view() : lines_[0];
        const size_t colon = line.find(": ");
        if (!line.starts_with("# ") || colon == std::string_view::npos)
            return fail("no title such as '# NAME: SUMMARY'");
        document_.name = line.substr(2, colon - 2);
        document_.summary = line.substr(colon + 2);
        ++at_;
    }

    void read_block() {
        const auto line = lines_[at_];
        if (line.starts_with("@")) return read_directive();
        if (line.starts_with("```")) return read_verbatim();
        if (line.starts_with("- ")) return read_bullets();
        if (line.starts_with("|")) return read_table();
        if (!begins_block(line)) return read_paragraph();
        if (line.starts_with("## ")) add(Heading{std::string(line.substr(3))});
        ++at_;  // an empty line, and a remark, are nothing
    }

    void read_directive() {
        auto words = words_of(lines_[at_].substr(1));
        if (words.empty()) return fail("an @ without a name");
        Directive directive{words.front(), {words.begin() + 1, words.end()}};
        auto& blocks = document_.blocks;
        auto* before = blocks.empty() ? nullptr : std::get_if<Directive>(&blocks.back());
        if (before == nullptr || before->name != directive.name)
            add(std::move(directive));
        else
            before->words.insert(before->words.end(), words.begin() + 1, words.end());
        ++at_;
    }

    void read_verbatim() {
        Verbatim verbatim;
        size_t end = at_ + 1;
        for (; end < lines_.size() && lines_[end] != "```"; ++end)
            verbatim.lines.emplace_back(lines_[end]);
        if (end == lines_.size()) return fail("code without an end");
        add(std::move(verbatim));
        at_ = end + 1;
    }

    void read_bullets() {
        Bullets bullets;
        while (goes_on_with("- ")) {
            std::string words(lines_[at_].substr(2));
            for (++at_; goes_on_with("  "); ++at_)
                words.append(" ").append(trimmed(lines_[at_]));
            bullets.items.push_back(text_in(words));
        }
        add(std::move(bullets));
    }

    Table::Row read_row() {
        const auto cells = cells_of(lines_[at_]);
        if (cells.size() != 2)
            fail("a row has two columns, each with its bars");
        else if (cells[0].empty() || cells[1].empty())
            fail("an empty cell");
        if (fault_) return {};
        return {text_in(cells[0]), text_in(cells[1])};
    }

    void read_table() {
        Table table;
        table.heads = read_row();
        ++at_;
        if (at_ == lines_.size() || lines_[at_] != "| --- | --- |")
            return fail("a table's second line is '| --- | --- |'");
        for (++at_; goes_on_with("|"); ++at_)
            table.rows.push_back(read_row());
        add(std::move(table));
    }

    void read_paragraph() {
        std::string words;
        for (; at_ < lines_.size() && !begins_block(lines_[at_]); ++at_) {
            if (is_foreign(lines_[at_]))
                return fail("not of the Markdown that pages are written in");
            words.append(words.empty() ? "" : " ").append(lines_[at_]);
        }
        add(Paragraph{text_in(words)});
    }

    std::vector<std::string_view> lines_;
    size_t at_ = 0;
    Document document_;
    std::optional<Error> fault_;
};

}  // namespace

Error page_fault(std::string cause) {
    Error error;
    error.operation = "read a page";
    error.cause = std::move(cause);
    return error;
}

Result<Text> read_text(std::string_view words) {
    Text text;
    while (!words.empty()) {
        const Mark* mark = next_mark(words);
        const size_t begin = mark == nullptr ? words.size() : words.find(mark->sign);
        if (begin > 0) text.push_back({Style::plain, std::string(words.substr(0, begin))});
        words.remove_prefix(begin);
        if (mark == nullptr) break;
        words.remove_prefix(mark->sign.size());
        const size_t end = words.find(mark->sign);
        if (end == std::string_view::npos)
            return page_fault(std::string(mark->sign) + " without its second");
        if (end == 0) return page_fault("nothing between two " + std::string(mark->sign));
        text.push_back({mark->style, std::string(words.substr(0, end))});
        words.remove_prefix(end + mark->sign.size());
    }
    return text;
}

Result<Document> read_document(std::string_view text) {
    return DocumentReader(text).run();
}

}  // namespace launch::guide
