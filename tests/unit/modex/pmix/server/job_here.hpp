// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "modex/pmix/server/inboxes.hpp"

namespace launch {

/// A job of this process, as long as it lives.
class JobHere {
  public:
    JobHere(asio::io_context& io, const char* nspace) : JobHere(io, nspace, {}, false) {}
    JobHere(asio::io_context& io, const char* nspace, std::vector<uint32_t> ranks, bool takes_tools,
            PmixEvents& events = nobody())
        : inbox_(std::make_shared<Inbox>(io.get_executor(), nullptr, nspace, std::move(ranks),
                                         events, takes_tools)) {
        inboxes().add(inbox_);
    }
    JobHere(const JobHere&) = delete;
    JobHere& operator=(const JobHere&) = delete;
    ~JobHere() {
        inboxes().remove(*inbox_);
        inbox_->close();
    }

  private:
    /// Never called.
    static PmixEvents& nobody() {
        alignas(PmixEvents) static char storage[sizeof(PmixEvents)];
        return reinterpret_cast<PmixEvents&>(storage);
    }

    std::shared_ptr<Inbox> inbox_;
};

}  // namespace launch
