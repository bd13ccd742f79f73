// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "core/base/cpu_set.hpp"
#include "core/base/fd.hpp"

namespace launch {

/// The CPUs of this host to which ranks of jobs are bound, so that the next job gets others while
/// some are free. This holds for all jobs of this user, whichever launch, session or relay started
/// them.
///
/// A file in memory stands for the host, and a byte of it for each CPU. A job holds shared locks on
/// the bytes of its CPUs, and on one more while it needs the file. These are locks of an open file
/// (F_OFD_SETLK), so two jobs of one process are distinct as well, and the kernel drops them when
/// the process ends, however it ends. The file is removed with the last claim. If there can be no
/// such file, or another user's file has its name, only jobs of this object know of each other.
///
/// No function waits.
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

    /// The CPUs that any job has.
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
