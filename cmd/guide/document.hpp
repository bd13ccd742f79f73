// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/error.hpp"

namespace launch::guide {

/// A page of the guide as a value. read_document makes it of Markdown; print.hpp shows it in a
/// terminal or as a manual page.

enum class Style : uint8_t { plain, code, bold };

struct Span {
    Style style = Style::plain;
    std::string text;

    bool operator==(const Span&) const = default;
};

using Text = std::vector<Span>;

struct Heading {
    std::string words;
    bool is_minor = false;  ///< below another, where a medium tells them apart

    bool operator==(const Heading&) const = default;
};

struct Paragraph {
    Text text;

    bool operator==(const Paragraph&) const = default;
};

struct Bullets {
    std::vector<Text> items;

    bool operator==(const Bullets&) const = default;
};

/// Commands, or what they print: shown as it stands.
struct Verbatim {
    std::vector<std::string> lines;

    bool operator==(const Verbatim&) const = default;
};

struct Table {
    using Row = std::array<Text, 2>;
    std::optional<Row> heads;
    std::vector<Row> rows;

    bool operator==(const Table&) const = default;
};

/// A term, and what there is to say about it.
struct Entry {
    std::string term;
    Text text;

    bool operator==(const Entry&) const = default;
};

struct Entries {
    std::vector<Entry> list;

    bool operator==(const Entries&) const = default;
};

/// A place where a page shows what the program knows best itself, such as "@options -n -ppn":
/// expand (directives.hpp) puts other blocks there. One that goes on on the next line is one.
struct Directive {
    std::string name;
    std::vector<std::string> words;

    bool operator==(const Directive&) const = default;
};

using Block = std::variant<Heading, Paragraph, Bullets, Verbatim, Table, Entries, Directive>;

struct Document {
    std::string name;     ///< "launch-hosts", as a manual page has it
    std::string summary;  ///< "where ranks run"
    std::vector<Block> blocks;
};

/// Reads a page. Its language is the part of Markdown that a page needs: a title "# NAME: SUMMARY",
/// "## " headings, paragraphs, "- " lists, fenced code, tables of two columns, `code` and **bold**;
/// and "@NAME WORDS" on a line of its own, a Directive. Lines of "<!-- -->" are for others. Any
/// other text is an error that names the line, so that no page shows stray signs.
Result<Document> read_document(std::string_view text);

/// The text of a block: words, `code` and **bold**.
Result<Text> read_text(std::string_view words);

/// The mistake in a page: a fault of launch, which tests find.
Error page_fault(std::string cause);

}  // namespace launch::guide
