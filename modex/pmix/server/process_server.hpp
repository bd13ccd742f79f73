// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "modex/pmix/pmix_job.hpp"
#include "modex/pmix/server/folder.hpp"
#include "modex/pmix/server/libpmix.hpp"
#include "modex/pmix/server/stand_in_topology.hpp"

namespace launch {

/// libpmix's server, which a process has once, whatever the number of its jobs: each of them is a
/// namespace there. In a process with one job it begins and ends with that. Where more may come
/// (PmixFolders::shared) it stays until the process ends: libpmix 4.2 does not survive to be begun
/// a second time. Its folder is then left to who cleans up after the process.
class ProcessServer {
  public:
    /// The one that there is, or a new one. Blocks; from any thread.
    static Result<std::shared_ptr<ProcessServer>> get(const PmixJob& job);

    /// PmixFolders::shared of the server that stays; empty: no server stays.
    static std::string kept_folder();

    ProcessServer(const ProcessServer&) = delete;
    ProcessServer& operator=(const ProcessServer&) = delete;
    /// Ends libpmix: blocks, perhaps for good.
    ~ProcessServer();

    const LibPmix& lib() const { return *lib_; }
    std::shared_ptr<const LibPmix> shared_lib() const { return lib_; }
    /// Tools may connect: the first job wanted it so (PmixJob::tools).
    bool serves_tools() const { return serves_tools_; }

  private:
    explicit ProcessServer(std::shared_ptr<const LibPmix> lib) : lib_(std::move(lib)) {}

    static Result<std::shared_ptr<ProcessServer>> make(const PmixJob& job);
    Status open(const PmixJob& job);

    std::shared_ptr<const LibPmix> lib_;
    std::unique_ptr<PrivateFolder> folder_;
    std::unique_ptr<StandInTopology> topology_;  ///< libpmix uses it until it ends
    bool open_ = false;
    bool serves_tools_ = false;
};

}  // namespace launch
