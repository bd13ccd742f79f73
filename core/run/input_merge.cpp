// SPDX-License-Identifier: MIT
#include "core/run/input_merge.hpp"

#include <algorithm>

namespace launch {

void InputMerge::add_child_from(Key child, Key above) {
    const auto at = readers_.find(above);
    Reader reader = at == readers_.end() ? Reader{} : at->second;
    reader.phase = Phase::waits;
    add(child, reader);
}

void InputMerge::open() {
    open_ = true;
    publish();
}

void InputMerge::wanted(Key rank, uint64_t bytes) {
    const auto at = readers_.find(rank);
    if (at == readers_.end()) return;
    at->second.granted += bytes;
    publish();
}

bool InputMerge::granted(Key child, const InputGrant& grant) {
    if (!knows(child)) add_child(child);
    Reader& reader = readers_.at(child);
    const bool waited = reader.phase == Phase::waits;
    reader.phase = Phase::reads;
    reader.had = std::max(reader.had, grant.had);
    reader.granted = std::max(reader.granted, grant.granted);
    publish();
    return waited;
}

void InputMerge::refused(Key reader) {
    if (readers_.erase(reader) > 0) publish();
}

bool InputMerge::reads(Key reader) const {
    const auto at = readers_.find(reader);
    return at != readers_.end() && at->second.phase == Phase::reads;
}

uint64_t InputMerge::needed_from() const {
    uint64_t least = UINT64_MAX;
    for (const auto& [key, reader] : readers_)
        least = std::min(least, reader.had);
    return least;
}

void InputMerge::tell_again() {
    if (refused_)
        upstream_.input_refused();
    else if (published_ > 0)
        upstream_.input_wanted(grant());
}

InputGrant InputMerge::grant() const {
    const uint64_t had = std::min(passed_.had(), needed_from());
    return {had, std::min(published_, had + input_window)};
}

void InputMerge::publish() {
    if (!open_ || refused_) return;
    if (readers_.empty()) {
        refused_ = true;
        upstream_.input_refused();
        return;
    }
    uint64_t least = UINT64_MAX;
    for (const auto& [key, reader] : readers_)
        least = std::min(least, reader.granted);
    if (least <= published_) return;
    published_ = least;
    upstream_.input_wanted(grant());
}

}  // namespace launch
