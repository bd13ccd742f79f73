// SPDX-License-Identifier: MIT
#include "core/process/input_demand.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <vector>

#include "core/process/descendants.hpp"

namespace launch {
namespace {

struct OpenPipe {
    std::vector<int> fds;      ///< under which numbers a process has the pipe
    bool nonblocking = false;  ///< or anything that reads without waiting in a call
};

std::vector<std::string> entries(const std::string& folder) {
    std::vector<std::string> names;
    DIR* dir = opendir(folder.c_str());
    if (dir == nullptr) return names;
    while (const dirent* entry = readdir(dir)) {
        if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
    }
    closedir(dir);
    return names;
}

bool is_nonblocking(const std::string& process, const std::string& fd) {
    std::ifstream info(process + "/fdinfo/" + fd);
    std::string word;
    while (info >> word) {
        if (word != "flags:") continue;
        info >> word;
        return (std::strtol(word.c_str(), nullptr, 8) & O_NONBLOCK) != 0;
    }
    return false;
}

OpenPipe find_pipe(const std::string& process, ino_t pipe) {
    OpenPipe found;
    for (const auto& fd : entries(process + "/fd")) {
        struct stat status {};
        std::string path = process;
        path.append("/fd/").append(fd);
        if (stat(path.c_str(), &status) != 0) continue;
        if (S_ISFIFO(status.st_mode) && status.st_ino == pipe) {
            found.fds.push_back(std::atoi(fd.c_str()));
            found.nonblocking = found.nonblocking || is_nonblocking(process, fd);
        }
    }
    return found;
}

bool waits_for_readiness(long number) {
    static constexpr auto calls = std::to_array<long>({
#ifdef SYS_poll
        SYS_poll,
#endif
#ifdef SYS_select
        SYS_select,
#endif
#ifdef SYS_epoll_wait
        SYS_epoll_wait,
#endif
        SYS_ppoll,
        SYS_pselect6,
        SYS_epoll_pwait,
        SYS_io_uring_enter,
    });
    for (const long call : calls) {
        if (call == number) return true;
    }
    return false;
}

bool reads_first_argument(long number) {
    return number == SYS_read || number == SYS_readv || number == SYS_splice || number == SYS_tee ||
           number == SYS_copy_file_range;
}

/// One thread: in which call it waits, from "NUMBER ARG1 ..." or "running".
Demand thread_demand(const std::string& task, const OpenPipe& pipe) {
    std::ifstream file(task + "/syscall");
    std::string word;
    if (!(file >> word)) {
        // Gone, or we may not look: only the latter is a reason to give up asking.
        struct stat status {};
        return stat(task.c_str(), &status) == 0 ? Demand::wanted : Demand::none;
    }
    if (word == "running") return Demand::none;
    const long number = std::strtol(word.c_str(), nullptr, 10);
    if (waits_for_readiness(number)) return Demand::wanted;
    if (number == SYS_sendfile) file >> word;  // the descriptor read is its second argument
    if (!reads_first_argument(number) && number != SYS_sendfile) return Demand::none;
    file >> word;
    const int fd = static_cast<int>(std::strtol(word.c_str(), nullptr, 16));
    for (const int own : pipe.fds) {
        if (own == fd) return Demand::wanted;
    }
    return Demand::none;
}

Demand process_demand(pid_t pid, ino_t inode) {
    const std::string process = "/proc/" + std::to_string(pid);
    const OpenPipe pipe = find_pipe(process, inode);
    if (pipe.fds.empty()) return Demand::none;
    if (pipe.nonblocking) return Demand::wanted;
    for (const auto& task : entries(process + "/task")) {
        std::string path = process;
        path.append("/task/").append(task);
        if (thread_demand(path, pipe) == Demand::wanted) return Demand::wanted;
    }
    return Demand::none;
}

}  // namespace

Demand input_demand(pid_t leader, ino_t pipe) {
    if (process_demand(leader, pipe) == Demand::wanted) return Demand::wanted;
    for (const pid_t pid : descendants_of(leader)) {
        if (process_demand(pid, pipe) == Demand::wanted) return Demand::wanted;
    }
    return Demand::none;
}

}  // namespace launch
