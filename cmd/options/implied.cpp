// SPDX-License-Identifier: MIT
#include "cmd/options/implied.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "cmd/options/table.hpp"

namespace launch {
namespace {

/// The effective word of all sources for this row; null: no source has one.
const Given* last_word_on(const OptionRow& row, std::span<const Source> sources) {
    for (auto source = sources.rbegin(); source != sources.rend(); ++source) {
        const auto& all = source->given;
        const auto found = std::find_if(all.rbegin(), all.rend(),
                                        [&](const Given& given) { return given.option == &row; });
        if (found != all.rend()) return &*found;
    }
    return nullptr;
}

}  // namespace

std::vector<Source> with_what_is_implied(std::span<const Source> sources) {
    std::vector<Source> made;
    for (const auto& source : sources) {
        Source implied;
        for (const auto& given : source.given) {
            const auto& row = *given.option;
            const bool counts = given.value == "true" && last_word_on(row, sources) == &given;
            if (!counts) continue;
            auto origin = given.origin;
            origin.implied = true;
            for (const auto& [key, value] : row.implies)
                implied.given.push_back({find_key(key, Scope::job), std::string(value), origin});
        }
        if (!implied.given.empty()) made.push_back(std::move(implied));
        made.push_back(source);
    }
    return made;
}

}  // namespace launch
