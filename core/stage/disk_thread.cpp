// SPDX-License-Identifier: MIT
#include "core/stage/disk_thread.hpp"

#include "core/base/seconds.hpp"
#include "core/stage/disk_error.hpp"

namespace launch {

awaitable<Status> DiskThread::run(Work work, milliseconds patience, std::stop_token stop,
                                  milliseconds grace) {
    const auto result = std::make_shared<Status>(Ok{});
    std::function<void()> task = [run = std::move(work.run), result] { *result = run(); };
    const bool done = co_await thread_.run(std::move(task), patience, stop, grace);
    if (done) co_return std::move(*result);
    hangs_ = true;
    if (stop.stop_requested()) co_return Ok{};
    if (const auto refused = thread_.no_thread())
        co_return stage_error(work.file, {}, refused->operation + ": " + refused->cause);
    co_return stage_error(work.file, {}, "the disk does not answer within " + in_seconds(patience),
                          "is a file server down?");
}

}  // namespace launch
