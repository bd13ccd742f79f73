#pragma once

#include <cstdint>
#include <functional>
#include <sys/types.h>
#include <unordered_map>

#include "core/async/event.hpp"
#include "core/async/task_group.hpp"

namespace launch {

/// Collects every child of this process, watched or adopted (see become_subreaper), so that no
/// zombie stays. One per process. Statuses of children that nobody watches yet are kept.
class Reaper {
  public:
    explicit Reaper(any_io_executor executor);

    /// Calls `exited` with waitpid's status once, from the io_context, when the child has ended,
    /// and before that `stopped` each time that a signal has stopped it.
    void watch(pid_t pid, std::function<void(int wait_status)> exited,
               std::function<void(int signal)> stopped = {});
    /// Reaps until stop().
    awaitable<void> run();
    void stop();
    /// What the child has used whose end is being told.
    struct Used {
        uint64_t cpu_us = 0;    ///< with those below it that it has waited for
        uint64_t peak_kib = 0;  ///< of resident memory: of it, or of one of those
    };
    const Used& used() const { return used_; }
    /// Looks for ended children now.
    void collect();

  private:
    struct Watched {
        std::function<void(int)> exited;
        std::function<void(int)> stopped;
    };

    asio::signal_set signals_;
    std::unordered_map<pid_t, Watched> watched_;
    bool stopped_ = false;
    Used used_;
};

}  // namespace launch
