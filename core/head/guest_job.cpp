// SPDX-License-Identifier: MIT
#include "core/head/guest_job.hpp"

namespace launch {

void GuestJob::drop_failed(const FailureMessage& failure) {
    for (const NodeRange& range : failure.nodes())
        erase_nodes(pending_, range);
    changed_.notify();
}

awaitable<void> GuestJob::ended(NodeIndex node) {
    pending_.erase(node);
    changed_.notify();
    co_return;
}

}  // namespace launch
