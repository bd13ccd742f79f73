// SPDX-License-Identifier: MIT
#include "core/run/left_processes.hpp"

#include <csignal>
#include <fstream>
#include <functional>
#include <unistd.h>
#include <utility>
#include <vector>

#include "core/async/event.hpp"
#include "core/link/patience.hpp"
#include "core/process/descendants.hpp"

namespace launch {
namespace {

using std::chrono::milliseconds;

/// Processes that end by themselves within this time get no signal.
constexpr milliseconds own_end{20};
/// After SIGKILL: what waits in the kernel then may do so for good.
constexpr milliseconds uninterruptible{500};

using Find = std::function<std::vector<pid_t>()>;

milliseconds pause_after(Clock::duration waited) {
    return milliseconds{waited < milliseconds{50} ? 1 : 20};
}

void signal_all(const std::vector<pid_t>& processes, int number) {
    for (const pid_t process : processes)
        kill(process, number);
}

/// Until `find` finds no process any more, or nothing ends them.
awaitable<void> end_all(any_io_executor executor, Reaper& reaper, milliseconds grace, Find find) {
    const auto begin = Clock::now();
    bool told = false;
    for (;;) {
        const auto left = find();
        if (left.empty()) break;
        const auto waited = Clock::now() - begin;
        const bool hopeless = waited > grace + uninterruptible && all_wait_uninterruptibly(left);
        if (hopeless || waited > grace + patience::left_killed) break;
        if (waited > grace) {
            signal_all(left, SIGKILL);
        } else if (waited > own_end && !std::exchange(told, true)) {
            signal_all(left, SIGTERM);
        }
        co_await sleep_for(executor, pause_after(waited));
        reaper.collect();
    }
}

/// NAME=VALUE is in the environment that it was started with.
bool has_variable(pid_t process, const std::string& entry) {
    std::ifstream file("/proc/" + std::to_string(process) + "/environ");
    std::string each;
    while (std::getline(file, each, '\0'))
        if (each == entry) return true;
    return false;
}

}  // namespace

awaitable<void> end_left_processes(any_io_executor executor, Reaper& reaper, milliseconds grace) {
    Find find = [] { return descendants_of(getpid()); };
    return end_all(std::move(executor), reaper, grace, std::move(find));
}

awaitable<void> end_left_processes_of(any_io_executor executor, Reaper& reaper, std::string job_id,
                                      milliseconds grace) {
    Find find = [entry = "LAUNCH_JOB_ID=" + job_id] {
        auto left = descendants_of(getpid());
        std::erase_if(left, [&](pid_t process) { return !has_variable(process, entry); });
        return left;
    };
    return end_all(std::move(executor), reaper, grace, std::move(find));
}

}  // namespace launch
