// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cmd/guide/document.hpp"

namespace launch::guide {

/// The page for a terminal of 80 columns. `colour`: headings are bold, and nothing else is.
std::string terminal_text(const Document& document, bool colour);

}  // namespace launch::guide
