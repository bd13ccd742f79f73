// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

namespace launch {

/// Owns a file descriptor.
class UniqueFd {
  public:
    UniqueFd() = default;
    explicit UniqueFd(int fd) : fd_(fd) {}
    UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    UniqueFd& operator=(UniqueFd&& other) noexcept {
        if (this != &other) reset(std::exchange(other.fd_, -1));
        return *this;
    }
    ~UniqueFd() { reset(); }

    int get() const { return fd_; }
    explicit operator bool() const { return fd_ >= 0; }
    int release() { return std::exchange(fd_, -1); }
    void reset(int fd = -1);

  private:
    int fd_ = -1;
};

/// Two connected ends, close-on-exec.
struct FdPair {
    UniqueFd first;
    UniqueFd second;
};

/// first reads what second writes. Both invalid on failure (errno set).
FdPair make_pipe();
/// A Unix stream socket pair.
FdPair make_socket_pair();

}  // namespace launch
