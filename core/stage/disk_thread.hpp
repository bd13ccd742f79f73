// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

#include "core/async/detached_pool.hpp"
#include "core/base/error.hpp"
#include "core/job/job_spec.hpp"

namespace launch {

/// A disk or a file server that takes longer for a megabyte is taken for dead.
inline constexpr milliseconds disk_patience{60'000};

/// Asks a disk, which may not answer for good, beside the io_context's thread: one thing after the
/// other.
class DiskThread {
  public:
    explicit DiskThread(any_io_executor executor) : thread_(std::move(executor), 1) {}

    struct Work {
        std::string file;  ///< that it is about, for who has to wait for it in vain
        std::function<Status()> run;
    };
    /// The result of the work, which owns everything that it uses; an Error if it takes longer than
    /// `patience`. After `stop` it is waited for no longer than `grace`, and the result is Ok then.
    awaitable<Status> run(Work work, milliseconds patience, std::stop_token stop,
                          milliseconds grace = {});
    /// An answer has not come.
    bool hangs() const { return hangs_; }

  private:
    DetachedPool thread_;
    bool hangs_ = false;
};

}  // namespace launch
