#include "core/head/guest_job.hpp"

namespace launch {

void GuestJob::drop_failed(const FailureMessage& failure) {
    pending_.erase(failure.node);
    for (const NodeRange& range : failure.below)
        pending_.erase(pending_.lower_bound(range.first),
                       pending_.upper_bound(range.first + (range.count - 1)));
    changed_.notify();
}

awaitable<void> GuestJob::ended(NodeIndex node) {
    pending_.erase(node);
    changed_.notify();
    co_return;
}

}  // namespace launch
