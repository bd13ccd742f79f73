// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include "core/async/event.hpp"
#include "core/base/error.hpp"

namespace launch {

/// Runs calls that may hang for good and that nothing can interrupt, above all name look-ups, in
/// threads beside the io_context's. Unlike a WorkerPool it never waits for them: a caller whose
/// deadline has passed continues, and so does a process that ends. Work must therefore own
/// everything that it uses.
///
/// A few threads suffice as long as work gets done. Only while it stays queued, because those
/// threads hang or are slow, their number doubles, up to `limit`. A thread leaves when nothing is
/// queued: at once, or, if it may `linger`, when nothing came for that time. A thread that has
/// started child processes leaves with the pool.
///
/// A pool without any thread, because the system refuses them, tries again for two seconds. Then it
/// gives up the work: the cause is a limit, and a limit does not go away.
class DetachedPool {
  public:
    DetachedPool(any_io_executor executor, size_t limit, Clock::duration linger = {});
    /// Leaves behind what hangs.
    ~DetachedPool();
    DetachedPool(const DetachedPool&) = delete;
    DetachedPool& operator=(const DetachedPool&) = delete;

    /// Suspends until `work` has run, but no longer than `patience`, and after `stop`, which is
    /// requested on the executor's thread, no longer than `grace`. False: it has not, and may be
    /// running still. `work` must not throw.
    awaitable<bool> run(std::function<void()> work, Clock::duration patience, std::stop_token stop,
                        Clock::duration grace = {});

    /// Runs work that starts child processes, and waits for it as long as it takes. The kernel
    /// kills such a child together with the thread that started it (PR_SET_PDEATHSIG), so that
    /// thread stays as long as the pool does.
    awaitable<bool> run_starts(std::function<void()> work, std::stop_token stop);

    /// After run() has returned false: why the pool has no thread; nothing: it has one.
    std::optional<Error> no_thread() const;

  private:
    struct Job;
    struct Shared;
    struct Patience {
        Clock::time_point deadline;
        std::stop_token stop;
        Clock::duration grace;  ///< after the stop
    };
    awaitable<bool> run_job(std::shared_ptr<Job> job, Patience patience);
    awaitable<void> wait(std::shared_ptr<Job> job, Event& done, Patience patience);

    any_io_executor executor_;
    std::shared_ptr<Shared> shared_;
};

}  // namespace launch
