#include "core/run/left_processes.hpp"

#include <csignal>
#include <unistd.h>
#include <utility>

#include "core/async/event.hpp"
#include "core/process/descendants.hpp"

namespace launch {
namespace {

using std::chrono::milliseconds;

/// What ends by itself in a moment is not told to.
constexpr milliseconds own_end{20};
/// After SIGKILL: what waits in the kernel then may do so for good.
constexpr milliseconds uninterruptible{500};
constexpr milliseconds longest_look{2000};

milliseconds pause_after(Clock::duration waited) {
    return milliseconds{waited < milliseconds{50} ? 1 : 20};
}

}  // namespace

awaitable<void> end_left_processes(any_io_executor executor, Reaper& reaper, milliseconds grace) {
    const auto begin = Clock::now();
    bool told = false;
    for (;;) {
        const auto left = descendants_of(getpid());
        if (left.empty()) break;
        const auto waited = Clock::now() - begin;
        const bool hopeless = waited > grace + uninterruptible && all_wait_uninterruptibly(left);
        if (hopeless || waited > grace + longest_look) break;
        if (waited > grace) {
            signal_descendants(SIGKILL);
        } else if (waited > own_end && !std::exchange(told, true)) {
            signal_descendants(SIGTERM);
        }
        co_await sleep_for(executor, pause_after(waited));
        reaper.collect();
    }
}

}  // namespace launch
