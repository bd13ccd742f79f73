// SPDX-License-Identifier: MIT
#include "core/job/rank_list.hpp"

#include <algorithm>
#include <limits>

#include "core/base/list_text.hpp"
#include "core/base/number_text.hpp"

namespace launch {
namespace {

/// The count of its ranks fits beside it.
constexpr uint32_t highest_rank = std::numeric_limits<uint32_t>::max() - 1;

std::optional<RankRun> read_run(std::string_view part) {
    const size_t dash = part.find('-');
    const auto first = parse_number<uint32_t>(part.substr(0, dash));
    const auto last =
        dash == std::string_view::npos ? first : parse_number<uint32_t>(part.substr(dash + 1));
    if (!first || !last || *first > *last || *last > highest_rank) return std::nullopt;
    return RankRun{*first, *last - *first + 1, 1};
}

}  // namespace

std::optional<std::vector<RankRun>> read_ranks(std::string_view text) {
    std::vector<RankRun> runs;
    for (const std::string_view part : split(text, ',')) {
        const auto run = read_run(part);
        if (!run) return std::nullopt;
        runs.push_back(*run);
    }
    if (runs.empty()) return std::nullopt;
    return runs;
}

std::vector<RankRun> runs_of(const std::set<uint32_t>& ranks) {
    std::vector<RankRun> runs;
    for (const uint32_t rank : ranks) {
        if (!runs.empty() && runs.back().first + runs.back().count == rank)
            ++runs.back().count;
        else
            runs.push_back({rank, 1, 1});
    }
    return runs;
}

bool has_rank(const std::vector<RankRun>& runs, uint32_t rank) {
    return std::any_of(runs.begin(), runs.end(), [rank](const RankRun& run) {
        const uint32_t distance = rank - run.first;
        return rank >= run.first && distance % run.stride == 0 && distance / run.stride < run.count;
    });
}

std::optional<uint32_t> first_beyond(const std::vector<RankRun>& runs, uint32_t ranks) {
    for (const RankRun& run : runs) {
        if (run.first >= ranks) return run.first;
        const uint32_t within = (ranks - run.first - 1) / run.stride + 1;
        if (run.count > within) return run.first + within * run.stride;
    }
    return std::nullopt;
}

}  // namespace launch
