// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace launch {

/// Of a list as C has them, which ends with a null pointer, or is one itself: then there are none.
inline std::vector<std::string> words_of(const char* const* list) {
    std::vector<std::string> words;
    for (; list != nullptr && *list != nullptr; ++list)
        words.emplace_back(*list);
    return words;
}

}  // namespace launch
