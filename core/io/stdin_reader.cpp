#include "core/io/stdin_reader.hpp"

#include <cerrno>
#include <csignal>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace launch {
namespace {

constexpr int background_check_ms = 200;

bool in_background() {
    return isatty(0) == 1 && tcgetpgrp(0) != getpgrp();
}

}  // namespace

StdinReader::StdinReader(any_io_executor executor)
    : stop_event_(eventfd(0, EFD_CLOEXEC)), pool_(executor, 1) {
    // Should the job go to the background between the check and the read, the read fails with
    // EIO instead of stopping the process.
    signal(SIGTTIN, SIG_IGN);
}

awaitable<std::string> StdinReader::read(size_t limit) {
    std::string bytes;
    co_await pool_.run([this, limit, &bytes] { bytes = read_blocking(limit); });
    co_return bytes;
}

void StdinReader::stop() {
    eventfd_write(stop_event_.get(), 1);
}

std::string StdinReader::read_blocking(size_t limit) {
    for (;;) {
        const bool background = in_background();
        pollfd fds[2] = {{stop_event_.get(), POLLIN, 0}, {0, POLLIN, 0}};
        const int ready = poll(fds, background ? 1 : 2, background ? background_check_ms : -1);
        if (fds[0].revents != 0) return {};
        if (background || ready <= 0 || in_background()) continue;
        std::string bytes(limit, '\0');
        const ssize_t n = ::read(0, bytes.data(), bytes.size());
        if (n < 0 && (errno == EINTR || errno == EAGAIN || (errno == EIO && in_background())))
            continue;
        bytes.resize(n > 0 ? static_cast<size_t>(n) : 0);
        return bytes;
    }
}

}  // namespace launch
