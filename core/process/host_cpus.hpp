// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "core/base/cpu_set.hpp"
#include "core/base/fd.hpp"

namespace launch {

/// Which CPUs of this host the ranks of jobs are bound to, so that the next job gets others while
/// there are any: of all jobs of this user, whichever launch, session or relay started them.
///
/// A file in memory stands for the host, and a byte of it for each CPU. Who has CPUs holds shared
/// locks on their bytes, and on one more as long as it needs the file. These are locks of an open
/// file (F_OFD_SETLK), so that two jobs of one process are told apart as well, and that the kernel
/// takes them away when the process ends, whatever ends it. The file goes with the last claim.
/// Where there can be none, or somebody else has put something at its place, only jobs of this
/// object know of each other.
///
/// Nothing here waits.
class HostCpus {
  public:
    /// `folder`: of that file, on a file system that the host does not share.
    explicit HostCpus(std::string folder = memory_folder);

    /// CPUs that a job has, until this goes.
    class Claim {
      public:
        Claim(Claim&&) = default;
        Claim& operator=(Claim&& other) noexcept;
        ~Claim();

      private:
        friend class HostCpus;
        Claim(UniqueFd file, std::string path) : file_(std::move(file)), path_(std::move(path)) {}
        void end();

        UniqueFd file_;     ///< none: nothing is held, as there is nothing to hold it in
        std::string path_;  ///< empty: it has no name
    };

    /// Those that somebody has.
    CpuSet taken() const;
    /// For a job that knows of `taken`: these it shares with who has them, the others are to be its
    /// own. Nothing: somebody has taken one of those since, so that the job had better choose anew.
    std::optional<Claim> claim(const CpuSet& cpus, const CpuSet& taken);

    /// Removes what launches have left whose processes were killed, if nobody else uses it.
    static void remove_unused(const std::string& folder = memory_folder);

  private:
    static constexpr const char* memory_folder = "/dev/shm";

    Claim open_for_claim();

    std::string path_;
    UniqueFd unnamed_;  ///< what is used instead of the file at `path_` where that cannot be
};

}  // namespace launch
