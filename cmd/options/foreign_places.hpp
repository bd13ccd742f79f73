// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace launch {

/// What to use instead of a word that other launchers' --bind-to, --map-by or --rank-by know and
/// launch's do not, "gpu0", "seq": in lower case, without what follows a colon. Empty: nobody is
/// known to have this word.
std::string_view advice_for_place(std::string_view word);

}  // namespace launch
