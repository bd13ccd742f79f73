// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "cmd/guide/document.hpp"
#include "core/base/error.hpp"

namespace launch::guide {

/// Reads a page. Its language is the part of Markdown that a page needs: a title "# NAME: SUMMARY",
/// "## " headings, paragraphs, "- " lists, fenced code, tables of two columns, `code` and **bold**;
/// and "@NAME WORDS" on a line of its own, a Directive. Lines of "<!-- -->" are for others. Any
/// other text is an error that names the line, so that no page shows stray signs.
Result<Document> read_document(std::string_view text);

/// The text of a block: words, `code` and **bold**.
Result<Text> read_text(std::string_view words);

}  // namespace launch::guide
