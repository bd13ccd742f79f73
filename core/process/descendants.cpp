// SPDX-License-Identifier: MIT
#include "core/process/descendants.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <dirent.h>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/process/process_stat.hpp"

namespace launch {
namespace {

/// Numbered entries of a /proc folder.
std::vector<pid_t> numbered_entries(const std::string& folder) {
    std::vector<pid_t> numbers;
    DIR* dir = opendir(folder.c_str());
    if (dir == nullptr) return numbers;
    while (const dirent* entry = readdir(dir)) {
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
            numbers.push_back(static_cast<pid_t>(std::strtol(entry->d_name, nullptr, 10)));
    }
    closedir(dir);
    return numbers;
}

/// The children of a process from /proc/PID/task/TID/children, which kernels may lack.
std::optional<std::vector<pid_t>> listed_children(pid_t pid) {
    std::vector<pid_t> children;
    const std::string tasks = "/proc/" + std::to_string(pid) + "/task";
    for (const pid_t task : numbered_entries(tasks)) {
        std::ifstream file(tasks + "/" + std::to_string(task) + "/children");
        if (!file && pid == getpid()) return std::nullopt;
        pid_t child = 0;
        while (file >> child)
            children.push_back(child);
    }
    return children;
}

std::vector<pid_t> descendants_by_scan(pid_t root) {
    std::multimap<pid_t, pid_t> children;
    for (const pid_t pid : numbered_entries("/proc"))
        children.emplace(stat_of(pid).parent, pid);
    std::vector<pid_t> found{root};
    for (size_t i = 0; i < found.size(); ++i) {
        const auto [begin, end] = children.equal_range(found[i]);
        for (auto at = begin; at != end; ++at)
            found.push_back(at->second);
    }
    found.erase(found.begin());
    return found;
}

}  // namespace

void become_subreaper() {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

bool has_children() {
    siginfo_t ignored;
    return waitid(P_ALL, 0, &ignored, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0 || errno != ECHILD;
}

std::vector<pid_t> with_descendants(pid_t root) {
    auto processes = descendants_of(root);
    processes.insert(processes.begin(), root);
    return processes;
}

std::vector<pid_t> descendants_of(pid_t root) {
    if (root == getpid() && !has_children()) return {};
    std::vector<pid_t> found{root};
    for (size_t i = 0; i < found.size(); ++i) {
        const auto children = listed_children(found[i]);
        if (!children) return descendants_by_scan(root);
        found.insert(found.end(), children->begin(), children->end());
    }
    found.erase(found.begin());
    return found;
}

size_t signal_descendants(int signal) {
    const auto found = descendants_of(getpid());
    for (const pid_t pid : found)
        kill(pid, signal);
    return found.size();
}

bool all_wait_uninterruptibly(const std::vector<pid_t>& processes) {
    return std::all_of(processes.begin(), processes.end(),
                       [](pid_t pid) { return stat_of(pid).state == 'D'; });
}

std::string why_not_ended(pid_t process) {
    const char state = stat_of(process).state;
    std::ifstream file("/proc/" + std::to_string(process) + "/wchan");
    std::string function;
    file >> function;
    if (function == "0") function.clear();  // may not be seen
    std::string text = state == 'D' ? "in uninterruptible sleep (state " : "still there (state ";
    text += state;
    return text + (function.empty() ? ")" : ", wchan " + function + ")");
}

}  // namespace launch
