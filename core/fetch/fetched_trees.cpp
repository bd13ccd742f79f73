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
    if (stream.tree) take(stream, bytes);
    return Ok{};
}

void FetchedTrees::take(Stream& stream, std::string_view bytes) {
    FetchedHost& result = stream.result;
    stream.decoder.add(bytes);
    while (stream.tree) {
        const auto record = stream.decoder.next();
        if (!record) {
            if (!stream.decoder.malformed()) return;
            result.cause = "the host sent what is no stream of files";
            stream.tree.reset();
            return;
        }
        const auto done = stream.tree->take(*record);
        if (!done) {
            result.cause = done.error().cause;
            result.hint = done.error().hint;
            result.is_here = true;
        } else if (stream.tree->fault()) {
            result.cause = stream.tree->fault()->path + ": " + stream.tree->fault()->cause;
        }
        result.complete = stream.tree->complete();
        result.left_out = stream.tree->left_out();
        if (result.complete || !result.cause.empty()) stream.tree.reset();
    }
}

FetchedHost FetchedTrees::of(const std::string& host) const {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return {};
    const auto found = streams_.find(host);
    return found == streams_.end() ? FetchedHost{} : found->second.result;
}

}  // namespace launch
