// SPDX-License-Identifier: MIT
#include "core/job/fold_ranks.hpp"

#include <algorithm>
#include <utility>

#include "core/base/counted.hpp"

namespace launch {

std::string fold_numbers(std::vector<uint32_t> numbers) {
    std::sort(numbers.begin(), numbers.end());
    std::string text;
    for (size_t i = 0; i < numbers.size();) {
        size_t end = i;
        while (end + 1 < numbers.size() && numbers[end + 1] == numbers[end] + 1)
            ++end;
        if (i > 0) text += ',';
        text += std::to_string(numbers[i]);
        if (end > i) text.append(end > i + 1 ? "-" : ",").append(std::to_string(numbers[end]));
        i = end + 1;
    }
    return text;
}

std::string fold_ranks(std::vector<uint32_t> ranks, uint32_t space) {
    const bool brackets = space > 0 && ranks.size() > 1;
    std::string text = ranks.size() == 1 ? "rank " : "ranks ";
    if (space > 0) text += std::to_string(space) + '.';
    const std::string folded = fold_numbers(std::move(ranks));
    return text + (brackets ? "[" + folded + "]" : folded);
}

std::string rank_name(uint32_t rank, uint32_t space) {
    const std::string number = std::to_string(rank);
    return space > 0 ? std::to_string(space) + '.' + number : number;
}

std::string short_fold(const std::vector<uint32_t>& ranks, uint32_t space) {
    constexpr size_t longest = 60;
    std::string text = fold_ranks(ranks, space);
    return text.size() <= longest ? text : counted(ranks.size(), "rank");
}

}  // namespace launch
