#include "core/run/input_merge.hpp"

#include <algorithm>

namespace launch {

void InputMerge::open() {
    open_ = true;
    publish();
}

void InputMerge::wanted(Key reader, uint64_t bytes) {
    const auto at = granted_.find(reader);
    if (at == granted_.end()) return;
    at->second += bytes;
    publish();
}

void InputMerge::refused(Key reader) {
    if (granted_.erase(reader) > 0) publish();
}

void InputMerge::publish() {
    if (!open_ || refused_) return;
    if (granted_.empty()) {
        refused_ = true;
        upstream_.input_refused();
        return;
    }
    uint64_t least = UINT64_MAX;
    for (const auto& [reader, granted] : granted_)
        least = std::min(least, granted);
    if (least <= published_) return;
    upstream_.input_wanted(least - published_);
    published_ = least;
}

}  // namespace launch
