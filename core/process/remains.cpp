#include "core/process/remains.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace launch {
namespace {

/// A full /dev/shm must not end anybody (SIGBUS when written), so blocks are asked for before.
constexpr off_t growth = 16384;

int64_t in_ns(int64_t seconds, int64_t ns) {
    return seconds * 1'000'000'000 + ns;
}

/// As statx() has them. 0: neither this file system nor this kernel can tell.
int64_t birth_of(int folder, const char* path, int flags) {
    struct statx info {};
    const bool told = statx(folder, path, flags, STATX_BTIME, &info) == 0;
    if (!told || (info.stx_mask & STATX_BTIME) == 0) return 0;
    return in_ns(info.stx_btime.tv_sec, info.stx_btime.tv_nsec);
}

FileStamp stamp_of(const struct stat& info, int64_t birth) {
    return {{info.st_dev, info.st_ino, birth},
            {info.st_size, in_ns(info.st_mtim.tv_sec, info.st_mtim.tv_nsec)}};
}

void remove_file(const char* path, const FileStamp& stamp, Remains::Edited edited) {
    struct stat info {};
    if (lstat(path, &info) != 0 || !S_ISREG(info.st_mode) || info.st_uid != geteuid()) return;
    const auto now = stamp_of(info, birth_of(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW));
    const bool ours =
        stamp.id == now.id && (edited == Remains::Edited::removed || stamp.content == now.content);
    if (stamp.id.inode == 0 || ours) unlink(path);
}

}  // namespace

std::optional<FileStamp> file_stamp(int file) {
    struct stat info {};
    if (fstat(file, &info) != 0) return std::nullopt;
    return stamp_of(info, birth_of(file, "", AT_EMPTY_PATH));
}

void remove_own_folder(const char* path) {
    struct stat info {};
    if (lstat(path, &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != geteuid()) return;
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
}

void Remains::grow_in(int file, const void* memory, off_t reserved) {
    backing_ = {file, bytes_.data() - static_cast<const char*>(memory), reserved};
}

bool Remains::reserve(size_t end) {
    const off_t needed = backing_.begin + static_cast<off_t>(end);
    if (backing_.file < 0 || needed <= backing_.reserved) return true;
    const off_t more = (needed - backing_.reserved + growth - 1) / growth * growth;
    const off_t most = backing_.begin + static_cast<off_t>(room);
    const off_t size = std::min(more, most - backing_.reserved);
    int error = EINTR;
    while (error == EINTR)
        error = posix_fallocate(backing_.file, backing_.reserved, size);
    if (error == 0) backing_.reserved += size;
    return error == 0;
}

bool Remains::add(Kind kind, std::string_view path, const FileStamp& stamp) {
    const size_t size = sizeof(Entry) + path.size() + 1;
    if (size > room - used_ || !reserve(used_ + size)) return false;
    const Entry entry{kind, stamp, used_ + sizeof(Entry), latest_};
    std::memcpy(&bytes_[used_], &entry, sizeof entry);
    path.copy(&bytes_[entry.path], path.size());
    bytes_[entry.path + path.size()] = '\0';
    latest_ = used_;  // whole now
    used_ += size;
    return true;
}

bool Remains::add_file(std::string_view path, const FileStamp& stamp) {
    return add(Kind::file, path, stamp);
}

bool Remains::add_folder(std::string_view path) {
    return add(Kind::folder, path, {});
}

void Remains::remove_all(Edited edited) {
    for (size_t at = latest_; at <= room - sizeof(Entry);) {
        Entry entry;
        std::memcpy(&entry, &bytes_[at], sizeof entry);
        // What a dead process has left is not trusted: neither here to end, nor below.
        if (entry.path >= room || std::memchr(&bytes_[entry.path], 0, room - entry.path) == nullptr)
            break;
        const char* path = &bytes_[entry.path];
        if (entry.kind == Kind::folder)
            remove_own_folder(path);
        else
            remove_file(path, entry.stamp, edited);
        // Ever earlier ones, so that it ends.
        at = entry.before < at ? entry.before : no_entry;
    }
    latest_ = no_entry;
    used_ = 0;
}

}  // namespace launch
