// SPDX-License-Identifier: MIT
#include "core/stage/source.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>

#include "core/stage/disk_error.hpp"
#include "core/stage/read_at.hpp"
#include "core/stage/segments.hpp"

namespace launch {
namespace {

/// Whole segments, so that those below may have them at once.
constexpr size_t piece_size = 16 * Segments::size;

}  // namespace

Status StageSource::open() {
    // O_NONBLOCK: should it be a FIFO by now.
    fd_ = UniqueFd(::open(file_.source.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat info {};
    if (!fd_ || fstat(fd_.get(), &info) != 0) return stage_os_error(file_.source, {}, errno);
    if (!S_ISREG(info.st_mode) || static_cast<uint64_t>(info.st_size) != file_.size)
        return stage_error(file_.source, {}, "the file changed while hosts were being started");
    return Ok{};
}

Status StageSource::read() {
    buffer_.resize(std::min<uint64_t>(piece_size, file_.size - position_));
    const ssize_t n = read_at(fd_.get(), buffer_, position_);
    if (n < 0) return stage_os_error(file_.source, {}, errno);
    length_ = static_cast<size_t>(n);
    if (length_ < buffer_.size())
        return stage_error(file_.source, {}, "the file became shorter while it was read");
    position_ += length_;
    checksum_.add(bytes());
    return Ok{};
}

}  // namespace launch
