// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <utility>

#include "cmd/guide/print.hpp"
#include "core/base/list_text.hpp"

namespace launch::guide {
namespace {

constexpr size_t source_columns = 76;

/// Escapes characters that roff would take for its own, or draw as others: it turns '-' into a
/// hyphen, and an option with a hyphen cannot be copied.
std::string escaped(const std::string& text, bool code) {
    std::string roff;
    for (const char c : text) {
        switch (c) {
            case '\\': roff += "\\e"; break;
            case '-': roff += code ? "\\-" : "-"; break;
            case '\'': roff += code ? "\\(aq" : "'"; break;
            case '`': roff += "\\(ga"; break;
            case '^': roff += "\\(ha"; break;
            case '~': roff += "\\(ti"; break;
            default: roff += c;
        }
    }
    return roff;
}

/// A line that begins with such a sign would be a request.
std::string as_text_line(const std::string& line) {
    const bool request = line.starts_with('.') || line.starts_with('\'');
    return (request ? "\\&" : "") + line + "\n";
}

/// An argument of a macro, which ends at a space otherwise.
std::string argument(const std::string& words) {
    std::string inside;
    for (const char c : words) {
        if (c == '"') inside += '"';
        inside += c;
    }
    return "\"" + inside + "\"";
}

std::string upper(std::string words) {
    std::transform(words.begin(), words.end(), words.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return words;
}

std::string in_bold(const std::string& roff) {
    return "\\fB" + roff + "\\fR";
}

std::string one_line(const Text& text) {
    std::string roff;
    for (const auto& span : text) {
        const auto words = escaped(span.text, span.style == Style::code);
        roff += span.style == Style::plain ? words : in_bold(words);
    }
    return roff;
}

std::string filled(const Text& text) {
    std::string roff;
    for (const auto& line : wrapped({{Style::plain, one_line(text)}}, source_columns))
        roff += as_text_line(line);
    return roff;
}

class Roff {
  public:
    void section(const std::string& title) {
        text_ += ".SH " + argument(upper(title)) + "\n";
        after_heading_ = true;
    }

    void operator()(const Heading& heading) {
        if (!heading.is_minor) return section(heading.words);
        text_ += ".SS " + argument(escaped(heading.words, true)) + "\n";
        after_heading_ = true;
    }

    void operator()(const Paragraph& paragraph) {
        begin_paragraph();
        text_ += filled(paragraph.text);
    }

    void operator()(const Bullets& bullets) {
        after_heading_ = false;
        for (const auto& item : bullets.items)
            text_ += ".IP \\(bu 2\n" + filled(item);
    }

    void operator()(const Verbatim& verbatim) {
        begin_paragraph();
        const auto [begin, end] = indents_of(verbatim);
        text_ += begin + ".nf\n";
        for (const auto& line : verbatim.lines)
            text_ += as_text_line(escaped(line, true));
        text_ += ".fi\n" + end;
    }

    /// Without tbl(1), which not every man(1) runs.
    void operator()(const Table& table) {
        if (table.heads)
            tagged(in_bold(escaped(plain((*table.heads)[0]), true)),
                   "\\fI" + escaped(plain((*table.heads)[1]), false) + "\\fR\n");
        for (const auto& row : table.rows)
            tagged(one_line(row[0]), filled(row[1]));
    }

    void operator()(const Entries& entries) {
        for (const auto& entry : entries.list)
            tagged(in_bold(escaped(entry.term, true)), filled(entry.text));
    }

    void operator()(const Directive&) {}

    void line(const std::string& roff) { text_ += roff + "\n"; }

    std::string take() { return std::move(text_); }

  private:
    /// Deeper than the text or, where a line would not fit into 80 columns then, less deep.
    static std::pair<std::string, std::string> indents_of(const Verbatim& verbatim) {
        constexpr size_t screen = 80;
        constexpr size_t deeper = 11;  // man(1) begins text at 7
        size_t widest = 0;
        for (const auto& line : verbatim.lines)
            widest = std::max(widest, line.size());
        if (widest + deeper <= screen) return {".RS 4\n", ".RE\n"};
        return {".in " + std::to_string(screen - std::min(widest, screen)) + "n\n", ".in\n"};
    }

    /// A heading begins one itself.
    void begin_paragraph() {
        if (!after_heading_) text_ += ".PP\n";
        after_heading_ = false;
    }

    void tagged(const std::string& term, const std::string& body) {
        after_heading_ = false;
        text_ += ".TP\n" + as_text_line(term) + body;
    }

    std::string text_;
    bool after_heading_ = false;
};

}  // namespace

std::string man_text(const Document& document, const ManPage& page) {
    Roff roff;
    roff.line(".TH " + argument(upper(document.name)) + " " + page.section +
              " \"" LAUNCH_DATE "\" \"launch " LAUNCH_VERSION "\" \"launch\"");
    roff.section("Name");
    roff.line(escaped(document.name, true) + " \\- " + escaped(document.summary, false));
    if (document.blocks.empty() || !std::holds_alternative<Heading>(document.blocks.front()))
        roff.section("Description");
    for (const auto& block : document.blocks)
        std::visit(roff, block);
    if (!page.see_also.empty()) {
        roff.section("See also");
        roff(Paragraph{{{Style::plain, joined(page.see_also, ", ")}}});
    }
    return roff.take();
}

}  // namespace launch::guide
