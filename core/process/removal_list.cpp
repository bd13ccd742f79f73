// SPDX-License-Identifier: MIT
#include "core/process/removal_list.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

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

void remove_file(const char* path, const FileStamp& stamp, RemovalList::Edited edited) {
    struct stat info {};
    if (lstat(path, &info) != 0 || !S_ISREG(info.st_mode) || info.st_uid != geteuid()) return;
    const auto now = stamp_of(info, birth_of(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW));
    const bool ours = stamp.id == now.id &&
                      (edited == RemovalList::Edited::removed || stamp.content == now.content);
    if (stamp.id.inode == 0 || ours) unlink(path);
}

}  // namespace

std::optional<FileStamp> file_stamp(int file) {
    struct stat info {};
    if (fstat(file, &info) != 0) return std::nullopt;
    return stamp_of(info, birth_of(file, "", AT_EMPTY_PATH));
}

bool stands_for(const char* path, const FileId& id) {
    struct stat info {};
    return lstat(path, &info) == 0 &&
           stamp_of(info, birth_of(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW)).id == id;
}

void remove_own_folder(const char* path, const FileId& id) {
    struct stat info {};
    if (lstat(path, &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != geteuid()) return;
    if (id.inode != 0 && !stands_for(path, id)) return;
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
}

void RemovalList::grow_in(int file, const void* memory, off_t reserved) {
    backing_ = {file, bytes_.data() - static_cast<const char*>(memory), reserved};
}

bool RemovalList::reserve(size_t end) {
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

std::optional<RemovalList::Entry> RemovalList::entry_at(size_t at) const {
    if (at > room - sizeof(Entry)) return std::nullopt;
    Entry entry;
    std::memcpy(&entry, &bytes_[at], sizeof entry);
    return entry;
}

void RemovalList::set_kind(size_t at, Kind kind) {
    static_assert(offsetof(Entry, kind) == 0 && sizeof(Kind) == 1);
    std::atomic_ref(bytes_[at]).store(static_cast<char>(kind), std::memory_order_release);
}

/// Whole when its kind is there.
void RemovalList::write(size_t at, const Entry& entry, std::string_view path) {
    Entry unfinished = entry;
    unfinished.kind = Kind::gone;
    std::memcpy(&bytes_[at], &unfinished, sizeof unfinished);
    path.copy(&bytes_[entry.path], path.size());
    bytes_[entry.path + path.size()] = '\0';
    set_kind(at, entry.kind);
}

std::optional<size_t> RemovalList::find_gone(size_t path_size) const {
    for (auto entry = entry_at(latest_); entry; entry = entry_at(entry->before))
        if (entry->kind == Kind::gone && path_size < entry->room)
            return entry->path - sizeof(Entry);
    return std::nullopt;
}

bool RemovalList::append(Entry entry, std::string_view path) {
    const size_t size = sizeof(Entry) + path.size() + 1;
    if (size > room - used_ || !reserve(used_ + size)) return false;
    entry.path = used_ + sizeof(Entry);
    entry.room = path.size() + 1;
    entry.before = latest_;
    write(used_, entry, path);
    latest_ = used_;
    used_ += size;
    return true;
}

bool RemovalList::add(Kind kind, std::string_view path, const FileStamp& stamp, Owner owner) {
    const std::lock_guard lock(adding_);
    const auto gone = find_gone(path.size());
    if (!gone) return append({kind, owner, stamp, 0, 0, no_entry}, path);
    Entry entry = *entry_at(*gone);
    entry.kind = kind;
    entry.owner = owner;
    entry.stamp = stamp;
    write(*gone, entry, path);
    return true;
}

bool RemovalList::add_file(std::string_view path, const FileStamp& stamp, Owner owner) {
    return add(Kind::file, path, stamp, owner);
}

bool RemovalList::add_folder(std::string_view path, const FileStamp& stamp, Owner owner) {
    return add(Kind::folder, path, stamp, owner);
}

void RemovalList::remove(const Entry& entry, Edited edited) const {
    const char* path = &bytes_[entry.path];
    if (entry.kind == Kind::folder) remove_own_folder(path, entry.stamp.id);
    if (entry.kind == Kind::file) remove_file(path, entry.stamp, edited);
}

/// The latest ones, whose room is free again.
void RemovalList::drop_gone() {
    for (auto last = entry_at(latest_); last && last->kind == Kind::gone;
         last = entry_at(latest_)) {
        used_ = last->path - sizeof(Entry);
        latest_ = last->before;
    }
}

/// Others may add while files are removed, which takes time.
void RemovalList::remove_of(Owner owner) {
    std::vector<Entry> own;
    {
        const std::lock_guard lock(adding_);
        for (auto entry = entry_at(latest_); entry; entry = entry_at(entry->before))
            if (entry->owner == owner && entry->kind != Kind::gone) own.push_back(*entry);
    }
    for (const Entry& entry : own)
        remove(entry, Edited::removed);
    const std::lock_guard lock(adding_);
    for (const Entry& entry : own)
        set_kind(entry.path - sizeof(Entry), Kind::gone);
    drop_gone();
}

void RemovalList::remove_all(Edited edited) {
    for (size_t at = latest_; const auto entry = entry_at(at);) {
        // Data of a dead process is not trusted: its texts may have no end, or lie outside.
        if (entry->path >= room ||
            std::memchr(&bytes_[entry->path], 0, room - entry->path) == nullptr)
            break;
        remove(*entry, edited);
        // Ever earlier ones, so that it ends.
        at = entry->before < at ? entry->before : no_entry;
    }
    latest_ = no_entry;
    used_ = 0;
}

}  // namespace launch
