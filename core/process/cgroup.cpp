// SPDX-License-Identifier: MIT
#include "core/process/cgroup.hpp"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <dirent.h>
#include <fcntl.h>
#include <fstream>
#include <linux/magic.h>
#include <linux/sched.h>
#include <string_view>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

#include "core/base/base_name.hpp"
#include "core/base/clock.hpp"

namespace launch {
namespace {

/// Whether a killed process is gone is asked so often, so many times.
constexpr std::chrono::milliseconds removal_pause{2};
constexpr int removal_attempts = 100;

/// Where cgroup v2 is mounted: alone, or beside v1.
std::string mount_point() {
    for (const char* path : {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"}) {
        struct statfs info {};
        if (statfs(path, &info) == 0 && info.f_type == CGROUP2_SUPER_MAGIC) return path;
    }
    return {};
}

/// The folder of the cgroup that this process is in; empty where it is not to be seen.
std::string own_cgroup() {
    const std::string mounted = mount_point();
    if (mounted.empty()) return {};
    std::ifstream file("/proc/self/cgroup");
    std::string line;
    while (std::getline(file, line)) {
        if (!line.starts_with("0::/")) continue;
        const std::string path = line.substr(3);
        if (path.starts_with("/..")) return {};  // outside of what this container is shown
        return path == "/" ? mounted : mounted + path;
    }
    return {};
}

/// The prefix of all of launch's folders in this pid namespace: containers, and the hosts of a
/// test, may share a cgroup without seeing each other's processes.
std::string name_prefix() {
    struct stat space {};
    stat("/proc/self/ns/pid", &space);
    return "launch-" + std::to_string(space.st_ino) + "-";
}

std::string parent_folder(const std::string& path) {
    return path.substr(0, path.rfind('/'));
}

std::vector<std::string> folders_in(const std::string& path, const std::string& prefix = {}) {
    std::vector<std::string> found;
    struct stat status {};
    // Two links of its own and one for each folder inside: mostly there is nothing to look for.
    if (stat(path.c_str(), &status) != 0 || status.st_nlink <= 2) return found;
    DIR* dir = opendir(path.c_str());
    if (dir == nullptr) return found;
    const std::string inside = path + "/";
    while (const dirent* entry = readdir(dir)) {
        const std::string_view name = entry->d_name;
        if (entry->d_type == DT_DIR && name.front() != '.' && name.starts_with(prefix))
            found.push_back(inside + entry->d_name);
    }
    closedir(dir);
    return found;
}

UniqueFd lock_folder(const std::string& path) {
    UniqueFd folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder && flock(folder.get(), LOCK_EX | LOCK_NB) != 0) folder.reset();
    return folder;
}

bool write_file(const std::string& path, const char* text) {
    const UniqueFd file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
    return file && write(file.get(), text, 1) == 1;
}

bool kill_folder(const std::string& path) {
    return write_file(path + "/cgroup.kill", "1");
}

bool remove_folders(const std::string& path) {
    for (const auto& inside : folders_in(path))
        remove_folders(inside);
    return rmdir(path.c_str()) == 0 || errno == ENOENT;
}

void end_folder(const std::string& path) {
    if (remove_folders(path)) return;
    for (int attempt = 0; attempt < removal_attempts; ++attempt) {
        kill_folder(path);
        if (remove_folders(path)) return;
        Clock::pause(removal_pause);
    }
}

void remove_orphans_in(const std::string& path, const std::string& prefix) {
    for (const auto& folder : folders_in(path, prefix)) {
        const UniqueFd lock = lock_folder(folder);
        if (lock) end_folder(folder);
    }
}

}  // namespace

Cgroup Cgroup::make() {
    Cgroup made;
    const std::string own = own_cgroup();
    if (own.empty()) return made;
    made.path_ = own + "/" + name_prefix() + std::to_string(getpid());
    if (mkdir(made.path_.c_str(), 0755) != 0) return made;
    // Another head that starts right now may take the folder for an orphan before it is locked:
    // then this one does without.
    made.lock_ = lock_folder(made.path_);
    const bool can_kill = access((made.path_ + "/cgroup.kill").c_str(), W_OK) == 0;
    if (!can_kill) made.lock_.reset();
    if (!made.lock_) rmdir(made.path_.c_str());
    return made;
}

pid_t Cgroup::fork_into() const {
    // The C library's fork() cannot use a cgroup. In a process without other threads it does only
    // one thing besides cloning: it stores the thread id of the child, at the address that the
    // kernel knows.
    int* thread_id = nullptr;
    if (prctl(PR_GET_TID_ADDRESS, &thread_id) != 0) return -1;
    clone_args how{};
    how.flags = CLONE_INTO_CGROUP | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID;
    how.child_tid = reinterpret_cast<uintptr_t>(thread_id);
    how.exit_signal = SIGCHLD;
    how.cgroup = static_cast<unsigned>(lock_.get());
    return static_cast<pid_t>(syscall(SYS_clone3, &how, sizeof how));
}

void Cgroup::kill() const {
    if (lock_) kill_folder(path_);
}

void Cgroup::remove() const {
    if (lock_) end_folder(path_);
}

void Cgroup::leave() const {
    if (lock_) write_file(parent_folder(path_) + "/cgroup.procs", "0");
}

void remove_orphaned_cgroups() {
    const std::string own = own_cgroup();
    const std::string prefix = name_prefix();
    // Inside another job's folder that job's guard removes all there is.
    if (own.empty() || base_name(own).starts_with(prefix)) return;
    remove_orphans_in(own, prefix);
    // Each ssh session may be a cgroup of its own, next to the one of the session that was killed.
    if (own == mount_point()) return;
    for (const auto& session : folders_in(parent_folder(own))) {
        if (session != own) remove_orphans_in(session, prefix);
    }
}

}  // namespace launch
