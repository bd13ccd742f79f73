// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cmd/guide/document.hpp"

namespace launch::guide {

/// The page for a terminal of 80 columns. `colour`: headings are bold, and nothing else is.
std::string terminal_text(const Document& document, bool colour);

/// The parts of a manual page besides its own text.
struct ManPage {
    std::string section;                ///< "1", or "7" for a topic
    std::vector<std::string> see_also;  ///< "launch(1)"
};

/// The page as a manual page, for man(1): roff with the macros of man(7) that groff and mandoc
/// both know.
std::string man_text(const Document& document, const ManPage& page);

/// The text on one line, without the marks of its styles.
std::string plain(const Text& text);

/// The text in lines of at most so many columns, without the marks of its styles. `code` is one
/// word, so that no line ends in the middle of a command, unless it is longer than `columns`; a
/// word that is longer has a line of its own.
std::vector<std::string> wrapped(const Text& text, size_t columns);

}  // namespace launch::guide
