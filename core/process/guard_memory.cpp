// SPDX-License-Identifier: MIT
#include "core/process/guard_memory.hpp"

#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <new>
#include <string_view>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "core/base/clock.hpp"
#include "core/base/fd.hpp"
#include "core/base/random.hpp"

namespace launch {
namespace {

constexpr const char* memory_folder = "/dev/shm";
constexpr std::chrono::milliseconds cleanup_pause{10};
constexpr int cleanup_rounds = 200;

/// The prefix of all files of this user.
std::string memory_prefix() {
    return "launch-left-" + std::to_string(geteuid()) + "-";
}

/// So much of the memory is taken at first, for all but a long list. Each process of launch has its
/// own, and the whole /dev/shm of a container may be 64 MiB.
constexpr off_t taken_at_first = 8192;

/// A small `ulimit -f` (SIGXFSZ) and a full file system (SIGBUS when written) are to end nobody.
bool reserve(const UniqueFd& file) {
    rlimit most{};
    return getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur >= sizeof(GuardMemory) &&
           ftruncate(file.get(), sizeof(GuardMemory)) == 0 &&
           posix_fallocate(file.get(), 0, taken_at_first) == 0;
}

/// A file without a name, locked: nobody finds it before it is whole.
UniqueFd make_file() {
    UniqueFd file(open(memory_folder, O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR));
    const bool made = file && reserve(file) && flock(file.get(), LOCK_EX | LOCK_NB) == 0;
    if (!made) file.reset();
    return file;
}

/// Opens a file of this user that no process uses and that looks like one of ours. In a folder that
/// other users may write, a name alone proves nothing.
UniqueFd open_orphan(const std::string& path) {
    UniqueFd file(open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat info {};
    const bool ours = file && fstat(file.get(), &info) == 0 && S_ISREG(info.st_mode) &&
                      info.st_uid == geteuid() && info.st_nlink == 1 &&
                      (info.st_mode & 0777) == (S_IRUSR | S_IWUSR) &&
                      info.st_size == static_cast<off_t>(sizeof(GuardMemory)) &&
                      flock(file.get(), LOCK_EX | LOCK_NB) == 0;
    if (!ours) file.reset();
    return file;
}

std::vector<std::string> files_of_this_user() {
    std::vector<std::string> found;
    DIR* dir = opendir(memory_folder);
    if (dir == nullptr) return found;
    const std::string prefix = memory_prefix();
    while (const dirent* entry = readdir(dir)) {
        if (std::string_view(entry->d_name).starts_with(prefix))
            found.push_back(std::string(memory_folder) + "/" + entry->d_name);
    }
    closedir(dir);
    return found;
}

/// The file is the one that it says it is.
bool is_named(const UniqueFd& file, const char* name) {
    struct stat here {};
    struct stat there {};
    return fstat(file.get(), &here) == 0 && lstat(name, &there) == 0 &&
           here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

void* map_shared(int file) {
    const int how = MAP_SHARED | (file < 0 ? MAP_ANONYMOUS : 0);
    void* const memory = mmap(nullptr, sizeof(GuardMemory), PROT_READ | PROT_WRITE, how, file, 0);
    return memory == MAP_FAILED ? nullptr : memory;
}

}  // namespace

void GuardMemory::publish(int file) {
    const std::string path = std::string(memory_folder) + "/" + memory_prefix() +
                             std::to_string(random_number()) + std::to_string(getpid());
    if (path.size() >= file_.size()) return;
    std::memcpy(file_.data(), path.c_str(), path.size() + 1);
    const std::string unnamed = "/proc/self/fd/" + std::to_string(file);
    if (linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) != 0)
        file_.front() = '\0';
}

GuardMemory* GuardMemory::share() {
    UniqueFd file = make_file();
    void* pages = map_shared(file.get());
    if (pages == nullptr && file) {
        file.reset();
        pages = map_shared(-1);
    }
    if (pages == nullptr) return nullptr;
    auto* const memory = new (pages) GuardMemory;
    if (!file) return memory;
    memory->publish(file.get());
    memory->to_remove_.grow_in(file.release(), pages, taken_at_first);  // the lock is to last, too
    return memory;
}

void GuardMemory::set_folder(const std::string& path) {
    has_folder_ = false;
    if (path.empty() || path.size() >= folder_.size()) return;
    std::memcpy(folder_.data(), path.c_str(), path.size() + 1);
    has_folder_ = true;
}

void GuardMemory::clean_up(RemovalList::Edited edited) {
    if (has_folder_) remove_own_folder(folder_.data());
    to_remove_.remove_all(edited);
    if (file_.front() != '\0') unlink(file_.data());
}

bool GuardMemory::readable() const {
    return form_ == own_form && file_.back() == '\0' && folder_.back() == '\0';
}

OrphanCleanup OrphanCleanup::start() {
    OrphanCleanup cleanup;
    std::vector<UniqueFd> orphans;
    for (const auto& path : files_of_this_user()) {
        if (UniqueFd file = open_orphan(path)) orphans.push_back(std::move(file));
    }
    if (orphans.empty()) return cleanup;
    cleanup.pid_ = fork();
    if (cleanup.pid_ != 0) return cleanup;
    for (const auto& file : orphans) {
        auto* const memory = static_cast<GuardMemory*>(map_shared(file.get()));
        if (memory != nullptr && memory->readable() && is_named(file, memory->file_.data()))
            memory->clean_up(RemovalList::Edited::left);
    }
    _exit(0);
}

void OrphanCleanup::wait() const {
    for (int round = 0; round < cleanup_rounds; ++round) {
        if (pid_ <= 0 || waitpid(pid_, nullptr, WNOHANG) != 0) return;
        Clock::pause(cleanup_pause);
    }
}

}  // namespace launch
