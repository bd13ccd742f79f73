// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace launch {

/// The replacement for a word that other launchers' --bind-to, --map-by or --rank-by know and
/// launch's do not, "gpu0", "seq": in lower case, without the part after a colon. Empty: no known
/// launcher has this word.
std::string_view advice_for_place(std::string_view word);

}  // namespace launch
