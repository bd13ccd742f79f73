// SPDX-License-Identifier: MIT
#include "tests/unit/core/harness/shrink.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <sstream>
#include <vector>

namespace launch {

Steps shrink(uint32_t count, const std::function<bool(const Steps&)>& fails) {
    std::vector<uint32_t> kept(count);
    std::iota(kept.begin(), kept.end(), 0U);
    for (size_t part = kept.size() / 2; part > 0; part /= 2)
        for (size_t at = 0; at < kept.size();) {
            std::vector<uint32_t> fewer = kept;
            const auto from = fewer.begin() + static_cast<std::ptrdiff_t>(at);
            fewer.erase(from, from + static_cast<std::ptrdiff_t>(std::min(part, kept.size() - at)));
            if (fails(Steps(fewer.begin(), fewer.end())))
                kept = std::move(fewer);
            else
                at += part;
        }
    return {kept.begin(), kept.end()};
}

std::optional<Steps> named_steps() {
    const char* const named = std::getenv("LAUNCH_RANDOM_STEPS");
    if (named == nullptr) return std::nullopt;
    std::istringstream in(named);
    return Steps(std::istream_iterator<uint32_t>(in), {});
}

std::string steps_text(const Steps& steps) {
    std::string text;
    for (const uint32_t step : steps)
        text += " " + std::to_string(step);
    return text;
}

}  // namespace launch
