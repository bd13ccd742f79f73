// SPDX-License-Identifier: MIT
#include "transports/ssh/match_line.hpp"

#include <algorithm>

#include "core/base/lower.hpp"

namespace launch {
namespace {

bool takes_argument(const std::string& name) {
    return name != "all" && name != "canonical" && name != "final";
}

/// Nothing behind `all` is a criterion; ssh refuses such a line.
bool names_final(const std::vector<Criterion>& criteria) {
    for (const auto& criterion : criteria) {
        if (criterion.name == "all") return false;
        if (criterion.name == "final" && !criterion.negated) return true;
    }
    return false;
}

}  // namespace

std::vector<Criterion> split_match_line(const std::vector<std::string>& words) {
    std::vector<Criterion> criteria;
    for (size_t i = 0; i < words.size(); ++i) {
        Criterion criterion;
        criterion.negated = words[i].starts_with('!');
        const std::string word = words[i].substr(criterion.negated ? 1 : 0);
        const size_t equals = std::min(word.find('='), word.size());
        criterion.name = lower(word.substr(0, equals));
        if (equals < word.size())
            criterion.argument = word.substr(equals + 1);
        else if (takes_argument(criterion.name) && i + 1 < words.size())
            criterion.argument = words[++i];
        criteria.push_back(std::move(criterion));
    }
    return criteria;
}

bool asks_for_final_pass(const std::vector<ConfigLine>& config) {
    return std::any_of(config.begin(), config.end(), [](const ConfigLine& line) {
        if (line.keyword == "match") return names_final(split_match_line(line.words));
        return asks_for_final_pass(line.included);
    });
}

}  // namespace launch
