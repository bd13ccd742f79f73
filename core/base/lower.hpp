// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace launch {

/// Lower case of the letters a to z only, whatever the locale: names of hosts and keywords of files
/// have no others.
inline char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

inline std::string lower(std::string text) {
    for (char& c : text)
        c = lower(c);
    return text;
}

}  // namespace launch
