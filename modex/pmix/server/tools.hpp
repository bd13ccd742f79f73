// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>
#include <pmix_server.h>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "modex/pmix/server/inbox.hpp"

namespace launch {

/// The tools (debuggers and their kind) that are connected to the server of this process. For all
/// threads.
class Tools {
  public:
    /// A process of no job: "launch.tool.3", rank 0.
    pmix_proc_t add();
    /// With a name that it has already.
    void add(const pmix_proc_t& tool);
    /// False: it is no tool.
    bool remove(const pmix_proc_t& tool);
    bool contains(const pmix_proc_t& tool) const;
    std::vector<pmix_proc_t> all() const;

  private:
    using Name = std::pair<std::string, uint32_t>;

    mutable std::mutex mutex_;
    std::set<Name> names_;
    uint32_t last_ = 0;
};

/// The tools of this process.
Tools& tools();

/// A callback of libpmix: a tool wants to connect. It may if it is of the same user, which
/// libpmix does not verify.
void admit_tool(pmix_info_t* infos, size_t count, pmix_tool_connection_cbfunc_t answer,
                void* cookie);

/// It has gone: what ranks write is read along no more, once it was the last. False: it was no
/// tool.
bool tool_left(const pmix_proc_t& tool);

/// The job in whose name it may act; null: it is no tool, or no one job wants tools.
std::shared_ptr<Inbox> job_of_tool(const pmix_proc_t& tool);

/// A callback of libpmix: a tool wants to read along what ranks write. It may as far as they run
/// here.
pmix_status_t pull_output(const pmix_proc_t* procs, size_t count, const pmix_info_t* infos,
                          size_t info_count, pmix_iof_channel_t channels, pmix_op_cbfunc_t answer,
                          void* cookie);

/// Passes an event that is for the launcher alone on to the tools: a rank waits for a debugger.
void tell_tools(const LibPmix& lib, pmix_status_t code, const pmix_proc_t& source,
                const pmix_info_t* infos, size_t count);

}  // namespace launch
