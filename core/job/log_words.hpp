// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace launch {

/// The values of LAUNCH_LOG, as MODULE:LEVEL, with commas between several.
inline constexpr std::string_view trace_pmi = "pmi:trace";  ///< messages of ranks
inline constexpr auto log_words = std::to_array<std::string_view>({trace_pmi});

inline std::vector<std::string_view> split_log(std::string_view log) {
    constexpr std::string_view between = ", ";
    std::vector<std::string_view> words;
    while (true) {
        log.remove_prefix(std::min(log.find_first_not_of(between), log.size()));
        if (log.empty()) return words;
        words.push_back(log.substr(0, log.find_first_of(between)));
        log.remove_prefix(words.back().size());
    }
}

inline bool log_asks_for(std::string_view log, std::string_view word) {
    const auto words = split_log(log);
    return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace launch
