// SPDX-License-Identifier: MIT
#include "core/base/shortage.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <pthread.h>
#include <sstream>
#include <sys/resource.h>
#include <unistd.h>

#include "core/base/file_text.hpp"

namespace launch {
namespace {

constexpr size_t small_file = 64u << 10;

std::optional<uint64_t> number_in(const std::string& path) {
    const std::string text = read_file(path, small_file).text;
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end == text.data()) return std::nullopt;  // "max" among others
    return number;
}

/// The limit of the first full cgroup from `path` up to the mount point.
std::optional<uint64_t> full_cgroup(const std::string& mounted, std::string path) {
    for (;;) {
        const auto most = number_in(mounted + path + "/pids.max");
        const auto now = number_in(mounted + path + "/pids.current");
        if (most && now && *now >= *most) return most;
        if (path.empty()) return std::nullopt;
        path.erase(path.rfind('/'));
    }
}

std::optional<uint64_t> full_cgroup() {
    std::istringstream lines(read_file("/proc/self/cgroup", small_file).text);
    for (std::string line; std::getline(lines, line);) {
        const auto names = line.find(':');
        const auto folder = line.find(":/", names + 1);
        if (names == std::string::npos || folder == std::string::npos) continue;
        const std::string controllers = "," + line.substr(names + 1, folder - names - 1) + ",";
        std::string path = line.substr(folder + 1);
        if (path == "/") path.clear();
        std::optional<uint64_t> full;
        if (controllers == ",,")
            full = full_cgroup("/sys/fs/cgroup", path);
        else if (controllers.find(",pids,") != std::string::npos)
            full = full_cgroup("/sys/fs/cgroup/pids", path);
        if (full) return full;
    }
    return std::nullopt;
}

/// In KiB, such as "VmData:" of this process.
uint64_t status_kib(const std::string& status, const std::string& name) {
    const size_t at = status.find(name);
    if (at == std::string::npos) return 0;
    uint64_t number = 0;
    std::istringstream(status.substr(at + name.size())) >> number;
    return number;
}

uint64_t stack_kib() {
    pthread_attr_t attributes;
    size_t size = 0;
    if (pthread_getattr_default_np(&attributes) != 0) return 0;
    pthread_attr_getstacksize(&attributes, &size);
    pthread_attr_destroy(&attributes);
    return size >> 10;
}

std::optional<uint64_t> soft_limit(__rlimit_resource_t resource) {
    rlimit limit{};
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
    return limit.rlim_cur;
}

std::optional<uint64_t> exceeded_kib(__rlimit_resource_t resource, uint64_t needed_kib) {
    const auto limit = soft_limit(resource);
    if (!limit || *limit >> 10 >= needed_kib) return std::nullopt;
    return *limit >> 10;
}

}  // namespace

TaskLimits task_limits() {
    TaskLimits limits;
    limits.of_cgroup = full_cgroup();
    const std::string status = read_file("/proc/self/status", small_file).text;
    const uint64_t stack = stack_kib();
    limits.data_kib = exceeded_kib(RLIMIT_DATA, status_kib(status, "VmData:") + stack);
    limits.address_kib = exceeded_kib(RLIMIT_AS, status_kib(status, "VmSize:") + stack);
    // The kernel asks for it neither of root nor of who may exceed limits.
    if (getuid() != 0) limits.of_user = soft_limit(RLIMIT_NPROC);
    return limits;
}

std::string shortage_text(int errno_value, const TaskLimits& limits) {
    if (errno_value != EAGAIN && errno_value != ENOMEM) return errno_text(errno_value);
    if (limits.of_cgroup)
        return "too many processes and threads in this cgroup (pids.max " +
               std::to_string(*limits.of_cgroup) +
               "; raise the limit of the container, service or batch job)";
    const auto memory = [](const char* option, uint64_t kib) {
        return std::string("not enough memory for another process or thread (ulimit ") + option +
               " " + std::to_string(kib) + "; raise it, or lower ulimit -s)";
    };
    if (limits.data_kib) return memory("-d", *limits.data_kib);
    if (limits.address_kib) return memory("-v", *limits.address_kib);
    if (errno_value == EAGAIN && limits.of_user)
        return "too many processes and threads of this user (ulimit -u " +
               std::to_string(*limits.of_user) + "; raise it, or end other processes)";
    return errno_text(errno_value);
}

std::string no_process_text(int errno_value) {
    TaskLimits limits = task_limits();
    limits.data_kib.reset();
    limits.address_kib.reset();
    return shortage_text(errno_value, limits);
}

Error no_thread_error() {
    Error error;
    error.operation = "start a thread";
    error.cause = shortage_text(EAGAIN, task_limits());
    return error;
}

}  // namespace launch
