// SPDX-License-Identifier: MIT
#include "core/stage/segments.hpp"

#include <algorithm>

namespace launch {

Segments::Segments(const std::vector<StagedFile>& files) {
    starts_.push_back(0);
    for (const auto& file : files) {
        sizes_.push_back(file.size);
        const uint64_t count = std::max<uint64_t>(1, (file.size + size - 1) / size);
        starts_.push_back(starts_.back() + count);
    }
}

Segments::Segment Segments::at(uint64_t number) const {
    const auto after = std::upper_bound(starts_.begin(), starts_.end(), number);
    Segment segment;
    segment.file = static_cast<size_t>(after - starts_.begin()) - 1;
    segment.offset = (number - starts_[segment.file]) * size;
    segment.length = std::min(size, sizes_[segment.file] - segment.offset);
    segment.last = number + 1 == *after;
    return segment;
}

}  // namespace launch
