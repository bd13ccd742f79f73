// SPDX-License-Identifier: MIT
#include "core/process/command_output.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include "core/base/clock.hpp"
#include "core/base/seconds.hpp"
#include "core/process/spawn.hpp"

namespace launch {
namespace {

using std::chrono::milliseconds;

constexpr size_t most_text = 1U << 20;

Error no_output(std::string cause) {
    return {ErrorKind::internal, {}, {}, -1, std::move(cause), {}};
}

/// To its end, or to where it is too long; false: that did not come in time.
bool read_all(int in, Clock::time_point deadline, std::string& text) {
    std::array<char, 4096> buffer;
    while (text.size() <= most_text) {
        const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
        if (left.count() <= 0) return false;
        pollfd readable{in, POLLIN, 0};
        if (poll(&readable, 1, static_cast<int>(left.count())) <= 0) continue;
        const ssize_t n = read(in, buffer.data(), buffer.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return true;
        text.append(buffer.data(), static_cast<size_t>(n));
    }
    return true;
}

/// The status of a child that ends by then.
std::optional<int> status_by(Clock::time_point deadline, pid_t child) {
    constexpr milliseconds pause{2};
    int status = 0;
    for (;;) {
        const pid_t found = waitpid(child, &status, WNOHANG);
        if (found == child) return status;
        if ((found < 0 && errno != EINTR) || Clock::now() >= deadline) return std::nullopt;
        Clock::pause(pause);
    }
}

/// With its process group. A killed process is gone at once, on a busy machine within a second; one
/// that hangs in the kernel (on a file server that does not answer) is not waited for: it is init's
/// in the end.
void end_child(pid_t child) {
    constexpr auto last_moment = milliseconds{2000};
    kill(-child, SIGKILL);
    status_by(Clock::now() + last_moment, child);
}

}  // namespace

Result<std::string> command_output(const std::vector<std::string>& argv,
                                   const std::vector<std::string>& env, milliseconds limit) {
    const auto deadline = Clock::now() + limit;
    auto pipe = make_pipe();
    const UniqueFd nothing(open("/dev/null", O_RDWR | O_CLOEXEC));
    if (!pipe.first || !nothing) return os_error("open a pipe", errno);
    SpawnRequest request;
    request.argv = argv;
    request.env = env;
    request.stdin_fd = nothing.get();
    request.stdout_fd = pipe.second.get();
    request.stderr_fd = nothing.get();
    const SpawnResult spawned = spawn_process(request);
    if (spawned.pid < 0)
        return no_output("cannot be run: " +
                         std::generic_category().message(spawned.failure.value));
    pipe.second.reset();
    std::string text;
    const bool is_read = read_all(pipe.first.get(), deadline, text);
    if (text.size() > most_text) {
        end_child(spawned.pid);
        return no_output("printed more than 1 MiB");
    }
    // One that has closed its output may go on for a moment.
    const auto status = is_read ? status_by(deadline, spawned.pid) : std::nullopt;
    if (!status) {
        end_child(spawned.pid);
        return no_output("did not answer within " + in_seconds(limit));
    }
    if (*status != 0) return no_output("ended with " + to_string(ExitStatus::from_wait(*status)));
    return text;
}

}  // namespace launch
