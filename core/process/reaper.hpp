// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <sys/types.h>
#include <unordered_map>
#include <utility>

#include "core/async/event.hpp"
#include "core/async/task_group.hpp"

namespace launch {

/// Collects every child of this process, watched or adopted (see become_subreaper), so that no
/// zombie stays. One per process.
///
/// A child that another thread starts may end before the thread of the io_context knows its number.
/// While anybody has an expect() alive, the Reaper keeps the last status of children that nobody
/// watches, and watch() tells it to the watcher, from the io_context as well.
class Reaper {
  public:
    class Watch;

    explicit Reaper(any_io_executor executor);
    ~Reaper();
    Reaper(const Reaper&) = delete;
    Reaper& operator=(const Reaper&) = delete;

    /// Calls `exited` with waitpid's status once, from the io_context, when the child has ended,
    /// and before that `stopped` each time that a signal has stopped it: as long as the Watch
    /// lives, since a process that no signal ends may outlive whoever started it.
    [[nodiscard]] Watch watch(pid_t pid, std::function<void(int wait_status)> exited,
                              std::function<void(int signal)> stopped = {});
    /// Reaps until stop().
    awaitable<void> run();
    void stop();
    /// Children that other threads start will be watched. Keep what this returns until they are.
    [[nodiscard]] std::shared_ptr<void> expect();
    /// The resources that the child used whose end is being reported.
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
        uint64_t number = 0;  ///< of its Watch: a later process may have the same pid
    };

    /// The last status of a child that nobody watches yet.
    struct Kept {
        int status = 0;
        Used used;
    };

    void forget(pid_t pid, uint64_t number);
    std::optional<Kept> take_kept(pid_t pid);
    void tell(pid_t pid, uint64_t number, const Kept& what);

    any_io_executor executor_;
    asio::signal_set signals_;
    std::unordered_map<pid_t, Watched> watched_;
    uint64_t watches_ = 0;
    bool stopped_ = false;
    Used used_;
    std::unordered_map<pid_t, Kept> kept_;
    std::weak_ptr<void> expected_;
};

/// Keeps the callbacks of one watch() alive. The reaper must outlive it.
class Reaper::Watch {
  public:
    Watch() = default;
    Watch(Watch&& other) noexcept
        : reaper_(std::exchange(other.reaper_, nullptr)),
          pid_(other.pid_),
          number_(other.number_) {}
    Watch& operator=(Watch&& other) noexcept {
        std::swap(reaper_, other.reaper_);
        std::swap(pid_, other.pid_);
        std::swap(number_, other.number_);
        return *this;
    }
    ~Watch() {
        if (reaper_) reaper_->forget(pid_, number_);
    }

  private:
    friend class Reaper;
    Watch(Reaper& reaper, pid_t pid, uint64_t number)
        : reaper_(&reaper), pid_(pid), number_(number) {}

    Reaper* reaper_ = nullptr;
    pid_t pid_ = -1;
    uint64_t number_ = 0;
};

}  // namespace launch
