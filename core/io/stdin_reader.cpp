// SPDX-License-Identifier: MIT
#include "core/io/stdin_reader.hpp"

#include <cerrno>
#include <csignal>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "core/base/fd.hpp"
#include "core/base/shortage.hpp"

namespace launch {
namespace {

constexpr int background_check_ms = 200;
/// A person may think about an answer for as long as the job runs.
constexpr std::chrono::hours read_patience{24 * 365};

}  // namespace

/// The descriptor that is read, and the event that ends a read. The thread shares it, because a
/// read in the kernel may outlive the reader.
class StdinReader::Source {
  public:
    explicit Source(int fd) : stop_event_(eventfd(0, EFD_CLOEXEC)), fd_(fd) {}

    std::string read(size_t limit);
    void stop() { eventfd_write(stop_event_.get(), 1); }

  private:
    bool in_background() const { return isatty(fd_) == 1 && tcgetpgrp(fd_) != getpgrp(); }
    ssize_t read_ready(std::string& bytes);

    UniqueFd stop_event_;
    const int fd_;
};

std::string StdinReader::Source::read(size_t limit) {
    for (;;) {
        const bool background = in_background();
        pollfd fds[2] = {{stop_event_.get(), POLLIN, 0}, {fd_, POLLIN, 0}};
        const int ready = poll(fds, background ? 1 : 2, background ? background_check_ms : -1);
        if (fds[0].revents != 0) return {};
        if (background || ready <= 0 || in_background()) continue;
        std::string bytes(limit, '\0');
        const ssize_t n = read_ready(bytes);
        if (n < 0 && (errno == EINTR || errno == EAGAIN || (errno == EIO && in_background())))
            continue;
        bytes.resize(n > 0 ? static_cast<size_t>(n) : 0);
        return bytes;
    }
}

/// Other processes that read the same pipe may have taken what poll() saw. A read that then waits
/// in the kernel would take bytes later that nobody here wants any more, so the kernel is asked
/// not to wait where it can do that without changing the descriptor, which is shared, too.
/// (That a file or a disk "would wait" means the disk, and poll() does not know when that is over.)
ssize_t StdinReader::Source::read_ready(std::string& bytes) {
    struct stat status {};
    if (fstat(fd_, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISBLK(status.st_mode)) {
        iovec room{bytes.data(), bytes.size()};
        const ssize_t n = preadv2(fd_, &room, 1, -1, RWF_NOWAIT);
        const bool unsupported =
            n < 0 && (errno == EOPNOTSUPP || errno == ENOSYS || errno == EINVAL || errno == ESPIPE);
        if (!unsupported) return n;
    }
    return ::read(fd_, bytes.data(), bytes.size());
}

StdinReader::StdinReader(any_io_executor executor, int fd)
    : source_(std::make_shared<Source>(fd)), thread_(std::move(executor), 1) {
    // Should the job go to the background between the check and the read, the read fails with
    // EIO instead of stopping the process.
    signal(SIGTTIN, SIG_IGN);
}

StdinReader::~StdinReader() {
    source_->stop();
}

awaitable<std::string> StdinReader::read(size_t limit) {
    const auto bytes = std::make_shared<std::string>();
    std::function<void()> work = [source = source_, bytes, limit] { *bytes = source->read(limit); };
    const bool done = co_await thread_.run(std::move(work), read_patience, stop_.get_token());
    // Not to be taken for the end of the input.
    if (!done && !stop_.stop_requested() && thread_.no_thread()) throw NoThread();
    co_return done ? std::move(*bytes) : std::string();
}

void StdinReader::stop() {
    source_->stop();
    stop_.request_stop();
}

}  // namespace launch
