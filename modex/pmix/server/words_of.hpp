// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace launch {

/// The words of a list as C has them, which ends with a null pointer; a null pointer instead of a
/// list has no words.
inline std::vector<std::string> words_of(const char* const* list) {
    std::vector<std::string> words;
    for (; list != nullptr && *list != nullptr; ++list)
        words.emplace_back(*list);
    return words;
}

}  // namespace launch
