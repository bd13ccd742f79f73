#include "core/process/remains.hpp"

#include <cstring>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace launch {
namespace {

void remove_file(const char* path, FileId id) {
    struct stat info {};
    if (lstat(path, &info) != 0 || !S_ISREG(info.st_mode) || info.st_uid != geteuid()) return;
    if (id.inode == 0 || id == FileId{info.st_dev, info.st_ino}) unlink(path);
}

}  // namespace

void remove_own_folder(const char* path) {
    struct stat info {};
    if (lstat(path, &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != geteuid()) return;
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
}

bool Remains::add(Kind kind, std::string_view path, FileId id) {
    const size_t size = sizeof(Entry) + path.size() + 1;
    if (size >= room - used_) return false;  // the last byte ends whatever a dead process has left
    const Entry entry{kind, id, used_ + sizeof(Entry), latest_};
    std::memcpy(&bytes_[used_], &entry, sizeof entry);
    path.copy(&bytes_[entry.path], path.size());
    bytes_[entry.path + path.size()] = '\0';
    latest_ = used_;  // whole now
    used_ += size;
    return true;
}

bool Remains::add_file(std::string_view path, FileId id) {
    return add(Kind::file, path, id);
}

bool Remains::add_folder(std::string_view path) {
    return add(Kind::folder, path, {});
}

void Remains::remove_all() {
    bytes_.back() = '\0';
    for (size_t at = latest_; at <= room - sizeof(Entry);) {
        Entry entry;
        std::memcpy(&entry, &bytes_[at], sizeof entry);
        if (entry.path >= room) break;
        const char* path = &bytes_[entry.path];
        if (entry.kind == Kind::folder)
            remove_own_folder(path);
        else
            remove_file(path, entry.id);
        // Ever earlier ones: what a dead process has left is not trusted to have an end.
        at = entry.before < at ? entry.before : no_entry;
    }
    latest_ = no_entry;
    used_ = 0;
}

}  // namespace launch
