// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>
#include <thread>

#include "core/base/fd.hpp"
#include "transports/ssh/agent.hpp"

namespace launch {

/// Stands between libssh and the agent, and lists one key only: libssh itself tries all keys of an
/// agent, in the agent's order and whatever IdentitiesOnly says. The agent answers libssh's other
/// requests, above all for a signature. A thread of its own forwards them, until the filter is
/// destroyed or either side ends.
class AgentFilter {
  public:
    explicit AgentFilter(int agent);
    ~AgentFilter();
    AgentFilter(const AgentFilter&) = delete;
    AgentFilter& operator=(const AgentFilter&) = delete;

    /// libssh's end, which becomes libssh's own. Once; invalid where a descriptor or a thread is
    /// not to be had.
    UniqueFd take_end() { return std::move(ends_.first); }
    /// The key to list from now on.
    void show(const AgentKey& key);

  private:
    void pass_on();
    std::string shown() const;

    int agent_;
    FdPair ends_;
    mutable std::mutex mutex_;
    std::string shown_;
    std::thread thread_;
};

}  // namespace launch
