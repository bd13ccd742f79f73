// SPDX-License-Identifier: MIT
#include "modex/pmi1/line.hpp"

#include <algorithm>

namespace launch {

std::optional<std::string_view> pmi1_last_field(std::string_view line, std::string_view name) {
    size_t at = 0;
    while (at < line.size()) {
        const std::string_view rest = line.substr(at);
        if (rest.size() > name.size() && rest[name.size()] == '=' && rest.starts_with(name))
            return rest.substr(name.size() + 1);
        at = line.find(' ', at);
        if (at == std::string_view::npos) break;
        ++at;
    }
    return std::nullopt;
}

std::optional<std::string_view> pmi1_field(std::string_view line, std::string_view name) {
    const auto value = pmi1_last_field(line, name);
    if (!value) return value;
    return value->substr(0, std::min(value->find(' '), value->size()));
}

std::optional<std::string_view> pmi1_command(std::string_view line) {
    if (!line.starts_with("cmd=")) return std::nullopt;
    return pmi1_field(line, "cmd");
}

}  // namespace launch
