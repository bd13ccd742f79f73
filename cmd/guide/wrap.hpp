// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cmd/guide/document.hpp"

namespace launch::guide {

/// The words as lines of at most so many columns; a word that is longer has a line of its own.
std::vector<std::string> wrap(const std::vector<std::string>& words, size_t columns);

/// The words of a text, without the marks of its styles. `code` stays one word, so that no line
/// ends in the middle of a command, unless it is longer than `columns`.
std::vector<std::string> plain_words(const Text& text, size_t columns);

/// The text on one line, without the marks of its styles.
std::string plain(const Text& text);

/// `indent` spaces before each line.
std::string indented(const std::vector<std::string>& lines, size_t indent);

}  // namespace launch::guide
