// SPDX-License-Identifier: MIT
#include "core/run/local_stacks.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <fcntl.h>
#include <span>
#include <utility>

#include "core/async/event.hpp"
#include "core/async/task_group.hpp"
#include "core/base/environment.hpp"
#include "core/base/fd.hpp"
#include "core/base/seconds.hpp"
#include "core/link/patience.hpp"
#include "core/process/process_stat.hpp"
#include "core/process/spawn.hpp"

namespace launch {
namespace {

constexpr size_t most_bytes = StackGroups::most_text;

/// A child process whose output is read.
class Reading {
  public:
    explicit Reading(any_io_executor executor)
        : pipe_(executor), changed_(executor), tasks_(executor) {}

    awaitable<std::string> run(const std::vector<std::string>& command, Clock::time_point deadline,
                               std::stop_token stop) {
        const pid_t child = start(command);
        if (child < 0) co_return std::string();
        const std::stop_callback wake(stop, [this] { changed_.notify(); });
        tasks_.spawn(read());
        while (!is_over_ && !stop.stop_requested() && Clock::now() < deadline)
            co_await changed_.wait_until(deadline);
        kill(-child, SIGKILL);  // the Reaper collects it
        std::error_code ignored;
        pipe_.close(ignored);
        co_await tasks_.join();
        co_return std::move(bytes_);
    }

  private:
    pid_t start(const std::vector<std::string>& command) {
        auto pipe = make_pipe();
        const UniqueFd nothing(open("/dev/null", O_RDWR | O_CLOEXEC));
        if (!pipe.first || !nothing) return -1;
        SpawnRequest request;
        request.argv = command;
        request.env = own_environment();
        request.stdin_fd = nothing.get();
        request.stdout_fd = pipe.second.get();
        request.stderr_fd = nothing.get();
        pipe_.assign(pipe.first.release());
        return spawn_process(request).pid;
    }

    awaitable<void> read() {
        std::array<char, 16384> room;
        std::error_code error;
        while (!error && bytes_.size() < most_bytes) {
            auto token = asio::redirect_error(asio::use_awaitable, error);
            const size_t size = co_await pipe_.async_read_some(asio::buffer(room), token);
            bytes_.append(room.data(), size);
        }
        is_over_ = true;
        changed_.notify();
    }

    asio::posix::stream_descriptor pipe_;
    std::string bytes_;
    bool is_over_ = false;
    Event changed_;
    TaskGroup tasks_;
};

/// Adds processes that have not been looked at, because the reader was at one of them for too long,
/// or could not be started.
void add_unread(StackGroups& stacks, std::span<const RankProcessId> processes,
                std::chrono::milliseconds limit) {
    for (const auto& [rank, process] : processes) {
        const bool is_gone = has_ended(stat_of(process).state);
        const std::string note = is_gone ? "ended while stacks were read"
                                         : "no stack: not read within " + in_seconds(limit);
        stacks.add({process_name(process), {}, note}, {rank});
    }
}

}  // namespace

awaitable<StackGroups> local_stacks(any_io_executor executor, std::vector<RankProcessId> processes,
                                    std::chrono::milliseconds limit, std::stop_token stop) {
    if (processes.empty()) co_return StackGroups();
    Reading reading(executor);
    const auto command = stacks_command(processes);
    const auto deadline = Clock::now() + limit;
    const std::string bytes = co_await reading.run(command, deadline, stop);
    auto [stacks, count] = read_stacks(bytes);
    const auto unread = std::span(processes).subspan(std::min(count, processes.size()));
    add_unread(stacks, unread, limit);
    co_return std::move(stacks);
}

awaitable<StackGroups> local_cores(any_io_executor executor, CoreKeeping keeping,
                                   std::vector<DeadProcess> dead, Clock::time_point deadline,
                                   std::stop_token stop) {
    Reading reading(executor);
    const auto limit = deadline - Clock::now() - patience::core_ends;
    keeping.limit = std::max(std::chrono::duration_cast<std::chrono::milliseconds>(limit),
                             std::chrono::milliseconds{0});
    const auto command = cores_command(keeping, dead);
    const std::string bytes = co_await reading.run(command, deadline, stop);
    const std::string why = stop.stop_requested()
                                ? "not taken, as the job was killed"
                                : "not taken within " + in_seconds(patience::cores);
    co_return read_cores(bytes, dead, why);
}

}  // namespace launch
