#include "core/job/fold_ranks.hpp"

#include <algorithm>

#include "core/base/counted.hpp"

namespace launch {

std::string fold_ranks(std::vector<uint32_t> ranks) {
    std::sort(ranks.begin(), ranks.end());
    std::string text = ranks.size() == 1 ? "rank " : "ranks ";
    for (size_t i = 0; i < ranks.size();) {
        size_t end = i;
        while (end + 1 < ranks.size() && ranks[end + 1] == ranks[end] + 1)
            ++end;
        if (i > 0) text += ',';
        text += std::to_string(ranks[i]);
        if (end > i) text.append(end > i + 1 ? "-" : ",").append(std::to_string(ranks[end]));
        i = end + 1;
    }
    return text;
}

std::string short_fold(const std::vector<uint32_t>& ranks) {
    constexpr size_t longest = 60;
    std::string text = fold_ranks(ranks);
    return text.size() <= longest ? text : counted(ranks.size(), "rank");
}

}  // namespace launch
