// SPDX-License-Identifier: MIT
#include "core/fetch/fetched_trees.hpp"

#include <utility>

namespace launch {

Status FetchedTrees::append(const std::string& host, std::string_view bytes) {
    const std::lock_guard lock(mutex_);
    auto [at, is_new] = streams_.try_emplace(host);
    Stream& stream = at->second;
    if (is_new)
        stream.tree =
            std::make_unique<ReceivedTree>(ReceivedTree::Place{spec_.dir, host, spec_.name});
    if (!stream.tree) return Ok{};
    take(stream, bytes);
    if (!stream.tree) ++over_;
    return Ok{};
}

void FetchedTrees::take(Stream& stream, std::string_view bytes) {
    stream.decoder.add(bytes);
    while (stream.tree) {
        const auto record = stream.decoder.next();
        if (record)
            take(stream, *record);
        else if (!stream.decoder.malformed())
            return;
        else
            stream.result.cause = "the host sent data that launch cannot read";
        if (stream.result.is_over()) stream.tree.reset();
    }
}

void FetchedTrees::take(Stream& stream, const FetchRecord& record) {
    FetchedHost& result = stream.result;
    const ReceivedTree& tree = *stream.tree;
    const auto done = stream.tree->take(record);
    if (!done) {
        result.cause = done.error().cause;
        result.hint = done.error().hint;
        result.is_here = true;
    } else if (tree.fault()) {
        result.cause = tree.fault()->path + ": " + tree.fault()->cause;
    }
    result.complete = tree.complete();
    result.left_out = tree.left_out();
    result.unread = tree.unread();
    if (result.unread > 0)
        result.first_unread = tree.first_unread().path + ": " + tree.first_unread().cause;
}

FetchedHost FetchedTrees::of(const std::string& host) const {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return {};
    const auto found = streams_.find(host);
    return found == streams_.end() ? FetchedHost{} : found->second.result;
}

}  // namespace launch
