// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace launch {

/// Calls use(part) for each part of a list that is written with separators, in order: "a,,b" has
/// three, "a," has two, and an empty text none.
template <class Use>
void for_each_part(std::string_view list, char separator, Use use) {
    for (bool more = !list.empty(); more;) {
        const size_t end = list.find(separator);
        more = end != std::string_view::npos;
        use(list.substr(0, end));
        list.remove_prefix(more ? end + 1 : list.size());
    }
}

/// The parts. They live as long as the text.
inline std::vector<std::string_view> split(std::string_view list, char separator) {
    std::vector<std::string_view> parts;
    for_each_part(list, separator, [&](std::string_view part) { parts.push_back(part); });
    return parts;
}

/// Appends a part to a list in which none is empty.
inline void append_part(std::string& list, std::string_view separator, std::string_view part) {
    if (!list.empty()) list += separator;
    list += part;
}

/// The way back: the parts as a list.
template <class Parts>
std::string joined(const Parts& parts, std::string_view separator) {
    std::string list;
    bool first = true;
    for (const auto& part : parts) {
        if (!first) list += separator;
        first = false;
        list += part;
    }
    return list;
}

}  // namespace launch
