// SPDX-License-Identifier: MIT
#pragma once

#include <cerrno>
#include <cstdint>
#include <span>
#include <sys/uio.h>
#include <unistd.h>

namespace launch {

/// Fills the buffer from there on. -1: it failed (errno); else what was read, which is less than
/// asked for only at the end of the file.
inline ssize_t read_at(int fd, std::span<char> buffer, uint64_t offset) {
    size_t have = 0;
    while (have < buffer.size()) {
        const ssize_t n = pread(fd, buffer.data() + have, buffer.size() - have,
                                static_cast<off_t>(offset + have));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return -1;
        if (n == 0) break;
        have += static_cast<size_t>(n);
    }
    return static_cast<ssize_t>(have);
}

/// Fills the buffer with what the kernel has in memory. False: not all of that is there, or the
/// file system does not say; nothing was waited for.
inline bool read_cached_at(int fd, std::span<char> buffer, uint64_t offset) {
    const iovec all{buffer.data(), buffer.size()};
    const ssize_t n = preadv2(fd, &all, 1, static_cast<off_t>(offset), RWF_NOWAIT);
    return n == static_cast<ssize_t>(buffer.size());
}

}  // namespace launch
