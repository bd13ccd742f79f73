// SPDX-License-Identifier: MIT
#include "transports/ssh/expansion.hpp"

#include <algorithm>

namespace launch {

std::optional<std::string> expand_tilde(const std::string& name, const SshUser& user) {
    if (!name.starts_with('~')) return name;
    const size_t end = std::min(name.find('/'), name.size());
    const std::string who = name.substr(1, end - 1);
    auto home = std::optional(user.home);
    if (!who.empty()) home = user.home_of ? user.home_of(who) : std::nullopt;
    if (!home) return std::nullopt;
    return *home + name.substr(end);
}

std::optional<std::string> expand_text(std::string_view text, const SshUser& user,
                                       const TokenMeaning& meaning) {
    std::string expanded;
    while (!text.empty()) {
        std::optional<std::string> part;
        size_t size = 1;
        if (text.starts_with("${")) {
            const size_t end = text.find('}');
            if (end == std::string_view::npos || !user.variable) return std::nullopt;
            part = user.variable(std::string(text.substr(2, end - 2)));
            size = end + 1;
        } else if (text.front() == '%') {
            if (text.size() == 1) return std::nullopt;
            part = text[1] == '%' ? "%" : meaning(text[1]);
            size = 2;
        } else {
            part = std::string(1, text.front());
        }
        if (!part) return std::nullopt;
        expanded += *part;
        text.remove_prefix(size);
    }
    return expanded;
}

}  // namespace launch
