// SPDX-License-Identifier: MIT
#include "core/stage/target.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "core/stage/disk_error.hpp"
#include "core/stage/read_at.hpp"

namespace launch {
namespace {

constexpr size_t read_size = 256u << 10;
constexpr mode_t permissions = 0777;

std::string folder_of(const std::string& path) {
    return path.substr(0, path.rfind('/') + 1);
}

}  // namespace

StageTarget::StageTarget(Settings settings, RemovalsOf& to_remove)
    : settings_(std::move(settings)),
      to_remove_(to_remove),
      temporary_(folder_of(settings_.path) + ".launch-" + settings_.token) {}

Status StageTarget::failed(int errno_value) const {
    return stage_os_error(settings_.file.source, settings_.shown, errno_value);
}

Status StageTarget::refused(std::string cause, std::string hint) const {
    return stage_error(settings_.file.source, settings_.shown, std::move(cause), std::move(hint));
}

/// Refuses a folder, and anything but a regular file of the same size; publish() compares the
/// contents.
Status StageTarget::check_place() const {
    struct stat info {};
    if (lstat(settings_.path.c_str(), &info) != 0) return Ok{};
    if (S_ISDIR(info.st_mode))
        return refused("the destination is a folder there",
                       "end DEST with / to put the file inside");
    if (S_ISREG(info.st_mode) && static_cast<uint64_t>(info.st_size) == settings_.file.size)
        return Ok{};
    return refused("the destination already exists there and differs",
                   "--stage replaces no files: remove it, or name another DEST");
}

Status StageTarget::prepare() {
    auto placed = check_place();
    if (!placed) return placed;
    if (!to_remove_.add_file(temporary_, {})) return failed(ENOMEM);
    const int flags = O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_WRONLY;
    writer_ = UniqueFd(open(temporary_.c_str(), flags, S_IRUSR | S_IWUSR));
    if (!writer_) return failed(errno);
    // A descriptor of its own: the program cannot be executed while one for writing is open.
    reader_ = UniqueFd(open(temporary_.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
    if (!reader_) return failed(errno);
    return reserve();
}

/// A full disk is known before anything is sent, where the file system can tell.
Status StageTarget::reserve() {
    if (settings_.file.size == 0) return Ok{};
    int result = 0;
    do {
        result = fallocate(writer_.get(), 0, 0, static_cast<off_t>(settings_.file.size));
    } while (result != 0 && errno == EINTR);
    const bool full = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
    if (result != 0 && full) return failed(errno);
    return Ok{};
}

Status StageTarget::write(uint64_t offset, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t n =
            pwrite(writer_.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return failed(n < 0 ? errno : EIO);
        bytes.remove_prefix(static_cast<size_t>(n));
        offset += static_cast<uint64_t>(n);
    }
    return Ok{};
}

Status StageTarget::verify(uint64_t most) {
    std::vector<char> buffer(read_size);
    const uint64_t end = std::min(settings_.file.size, checked_ + most);
    while (checked_ < end) {
        const size_t size = std::min<uint64_t>(buffer.size(), end - checked_);
        const ssize_t n = read_at(reader_.get(), {buffer.data(), size}, checked_);
        if (n < 0) return failed(errno);
        if (static_cast<size_t>(n) < size) return failed(EIO);
        checksum_.add({buffer.data(), size});
        checked_ += size;
    }
    return Ok{};
}

Status StageTarget::publish(uint64_t checksum) {
    struct stat info {};
    if (fstat(reader_.get(), &info) != 0) return failed(errno);
    if (checksum_.value() != checksum || static_cast<uint64_t>(info.st_size) != settings_.file.size)
        return refused("the copy on the disk differs from what was read",
                       "did the file change meanwhile? if not, a disk or memory is faulty");
    if (fchmod(writer_.get(), settings_.file.mode & permissions) != 0) return failed(errno);
    writer_.reset();
    const auto stamp = file_stamp(reader_.get());  // now, when all is written, also by a server
    if (!stamp) return failed(errno);
    if (!settings_.keep && !to_remove_.add_file(settings_.path, *stamp)) return failed(ENOMEM);
    const int error = take_name();
    if (error == EEXIST) return check_other();
    if (error != 0) return failed(error);
    return Ok{};
}

/// 0, or errno. Neither call replaces anything. Not every file system has links, and not every one
/// knows a renaming that keeps what is there.
int StageTarget::take_name() {
    const char* from = temporary_.c_str();
    const char* to = settings_.path.c_str();
    if (link(from, to) == 0) return unlink(from) == 0 ? 0 : errno;
    if (errno != EPERM && errno != EOPNOTSUPP && errno != EMLINK) return errno;
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0 ? 0 : errno;
}

/// Checks an existing file, from an earlier job that kept it, or from another node of this job that
/// shares the disk. It must belong to this user or root, because the owner of a file can change it
/// at any time.
Status StageTarget::check_other() {
    unlink(temporary_.c_str());
    const UniqueFd other(
        open(settings_.path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat info {};
    if (other && fstat(other.get(), &info) == 0 && S_ISREG(info.st_mode) &&
        (info.st_uid == geteuid() || info.st_uid == 0) &&
        (info.st_mode & permissions) == (settings_.file.mode & permissions) && is_same(other.get()))
        return Ok{};
    return refused("the destination already exists there with other contents, mode or owner",
                   "--stage replaces no files: remove it, or name another DEST");
}

bool StageTarget::is_same(int other) const {
    std::vector<char> buffer(read_size);
    Checksum checksum;
    uint64_t size = 0;
    for (;;) {
        const ssize_t n = read_at(other, buffer, size);
        if (n < 0) return false;
        checksum.add({buffer.data(), static_cast<size_t>(n)});
        size += static_cast<uint64_t>(n);
        if (static_cast<size_t>(n) < buffer.size()) break;
    }
    return size == settings_.file.size && checksum.value() == checksum_.value();
}

}  // namespace launch
