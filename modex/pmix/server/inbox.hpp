// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/async/asio.hpp"
#include "modex/pmix/pmix_events.hpp"
#include "modex/pmix/server/libpmix.hpp"

namespace launch {

/// Where libpmix's thread leaves what it wants of us. Shared by the server, by what is on its way
/// to the executor's thread and by replies that are still owed, so that none of them outlives it.
class Inbox : public std::enable_shared_from_this<Inbox> {
  public:
    Inbox(any_io_executor executor, std::shared_ptr<const LibPmix> lib, std::string nspace,
          std::vector<uint32_t> local_ranks, PmixEvents& events, bool takes_tools = false,
          bool is_spawned = false)
        : executor_(std::move(executor)),
          lib_(std::move(lib)),
          nspace_(std::move(nspace)),
          local_ranks_(std::move(local_ranks)),
          takes_tools_(takes_tools),
          is_spawned_(is_spawned),
          events_(&events) {}

    /// From any thread: runs handle(PmixEvents&) on the executor's, in the order of the calls;
    /// never after close().
    template <class Handle>
    void post(Handle handle) {
        asio::post(executor_, [self = shared_from_this(), handle = std::move(handle)]() mutable {
            if (self->is_open()) handle(*self->events_);
        });
    }

    /// These on the executor's thread only. libpmix must not be called back once it is closed.
    bool is_open() const { return events_ != nullptr; }
    PmixEvents& events() const { return *events_; }
    /// Calls what owe() was given and pay() was not told of.
    void close() {
        events_ = nullptr;
        for (const auto& [id, at_close] : std::exchange(owed_, {}))
            at_close();
    }
    /// For an answer that others than this job's ranks may wait for: they get one at close(), too.
    uint64_t owe(std::function<void()> at_close) {
        owed_.emplace(++last_owed_, std::move(at_close));
        return last_owed_;
    }
    /// Returns false if close() has seen to the answer.
    bool pay(uint64_t id) { return owed_.erase(id) == 1; }

    const any_io_executor& executor() const { return executor_; }

    const LibPmix& lib() const { return *lib_; }
    const std::string& nspace() const { return nspace_; }
    /// The job's ranks on this node, in ascending order.
    const std::vector<uint32_t>& local_ranks() const { return local_ranks_; }
    bool takes_tools() const { return takes_tools_; }
    /// By ranks of another job, or by a tool.
    bool is_spawned() const { return is_spawned_; }

  private:
    any_io_executor executor_;
    std::shared_ptr<const LibPmix> lib_;
    std::string nspace_;
    std::vector<uint32_t> local_ranks_;
    bool takes_tools_;
    bool is_spawned_;
    PmixEvents* events_;
    std::map<uint64_t, std::function<void()>> owed_;
    uint64_t last_owed_ = 0;
};

}  // namespace launch
