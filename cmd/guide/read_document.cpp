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

class DocumentReader {
  public:
    explicit DocumentReader(std::string_view text) : lines_(split(text, '\n')) {}

    Result<Document> run() {
        Document document;
        auto done = check_bytes();
        if (done) done = read_title(document);
        while (done && at_ < lines_.size())
            done = read_block(document.blocks);
        if (!done) return located(done.error());
        return document;
    }

  private:
    Error located(Error error) const {
        error.cause = "line " + std::to_string(std::min(at_ + 1, lines_.size())) + ": " +
                      std::move(error.cause);
        return error;
    }

    /// One byte is one column, everywhere.
    Status check_bytes() {
        for (at_ = 0; at_ < lines_.size(); ++at_) {
            const auto strange = [](char c) { return c < ' ' || c > '~'; };
            const auto line = lines_[at_];
            if (std::any_of(line.begin(), line.end(), strange))
                return page_fault("not plain ASCII");
        }
        at_ = 0;
        return Ok{};
    }

    Status read_title(Document& document) {
        const auto line = lines_.empty() ? std::string_view() : lines_[0];
        const size_t colon = line.find(": ");
        if (!line.starts_with("# ") || colon == std::string_view::npos)
            return page_fault("no title such as '# NAME: SUMMARY'");
        document.name = line.substr(2, colon - 2);
        document.summary = line.substr(colon + 2);
        ++at_;
        return Ok{};
    }

    Status read_block(std::vector<Block>& blocks) {
        const auto line = lines_[at_];
        if (line.empty() || is_remark(line)) return skip();
        if (line.starts_with("## ")) return add(blocks, Heading{std::string(line.substr(3))});
        if (line.starts_with("@")) return read_directive(blocks);
        if (line.starts_with("```")) return read_verbatim(blocks);
        if (line.starts_with("- ")) return read_bullets(blocks);
        if (line.starts_with("|")) return read_table(blocks);
        if (is_foreign(line)) return page_fault("not of the Markdown that pages are written in");
        return read_paragraph(blocks);
    }

    Status skip() {
        ++at_;
        return Ok{};
    }

    Status add(std::vector<Block>& blocks, Block block) {
        blocks.push_back(std::move(block));
        return skip();
    }

    Status read_directive(std::vector<Block>& blocks) {
        auto words = words_of(lines_[at_].substr(1));
        if (words.empty()) return page_fault("an @ without a name");
        Directive directive{words.front(), {words.begin() + 1, words.end()}};
        auto* before = blocks.empty() ? nullptr : std::get_if<Directive>(&blocks.back());
        if (before == nullptr || before->name != directive.name)
            return add(blocks, std::move(directive));
        before->words.insert(before->words.end(), directive.words.begin(), directive.words.end());
        return skip();
    }

    Status read_verbatim(std::vector<Block>& blocks) {
        Verbatim verbatim;
        for (size_t i = at_ + 1; i < lines_.size(); ++i) {
            if (lines_[i] == "```") {
                at_ = i;
                return add(blocks, std::move(verbatim));
            }
            verbatim.lines.emplace_back(lines_[i]);
        }
        return page_fault("code without an end");
    }

    Status read_bullets(std::vector<Block>& blocks) {
        Bullets bullets;
        while (at_ < lines_.size() && lines_[at_].starts_with("- ")) {
            std::string words(lines_[at_].substr(2));
            for (++at_; at_ < lines_.size() && lines_[at_].starts_with("  "); ++at_)
                words.append(" ").append(trimmed(lines_[at_]));
            auto text = read_text(words);
            if (!text) return text.error();
            bullets.items.push_back(*std::move(text));
        }
        blocks.emplace_back(std::move(bullets));
        return Ok{};
    }

    Result<Table::Row> read_row() const {
        const auto cells = cells_of(lines_[at_]);
        if (cells.size() != 2) return page_fault("a row has two columns, each with its bars");
        if (cells[0].empty() || cells[1].empty()) return page_fault("an empty cell");
        auto left = read_text(cells[0]);
        if (!left) return left.error();
        auto right = read_text(cells[1]);
        if (!right) return right.error();
        return Table::Row{*std::move(left), *std::move(right)};
    }

    Status read_table(std::vector<Block>& blocks) {
        Table table;
        auto heads = read_row();
        if (!heads) return heads.error();
        table.heads = *std::move(heads);
        ++at_;
        if (at_ == lines_.size() || lines_[at_] != "| --- | --- |")
            return page_fault("a table's second line is '| --- | --- |'");
        for (++at_; at_ < lines_.size() && lines_[at_].starts_with("|"); ++at_) {
            auto row = read_row();
            if (!row) return row.error();
            table.rows.push_back(*std::move(row));
        }
        blocks.emplace_back(std::move(table));
        return Ok{};
    }

    Status read_paragraph(std::vector<Block>& blocks) {
        std::string words;
        for (; at_ < lines_.size() && !begins_block(lines_[at_]); ++at_) {
            if (is_foreign(lines_[at_]))
                return page_fault("not of the Markdown that pages are written in");
            words.append(words.empty() ? "" : " ").append(lines_[at_]);
        }
        auto text = read_text(words);
        if (!text) return text.error();
        blocks.emplace_back(Paragraph{*std::move(text)});
        return Ok{};
    }

    std::vector<std::string_view> lines_;
    size_t at_ = 0;
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
