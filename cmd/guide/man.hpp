// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cmd/guide/document.hpp"

namespace launch::guide {

/// The parts of a manual page besides its own text.
struct ManPage {
    std::string section;                ///< "1", or "7" for a topic
    std::vector<std::string> see_also;  ///< "launch(1)"
};

/// The page as a manual page, for man(1): roff with the macros of man(7) that groff and mandoc
/// both know.
std::string man_text(const Document& document, const ManPage& page);

}  // namespace launch::guide
