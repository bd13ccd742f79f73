// SPDX-License-Identifier: MIT
#include "core/io/file_set.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace launch {
namespace {

constexpr mode_t readable_by_all = 0666;  // less the umask

Error fault(const char* operation, const std::string& path, int cause) {
    Error error = os_error(std::string(operation) + " " + path, cause);
    error.kind = ErrorKind::output;
    if (cause == EEXIST) error.hint = "--output-replace overwrites it";
    return error;
}

/// Such as /dev/null: there is nothing in it that could be lost.
bool is_device(const std::string& path) {
    struct stat info {};
    return stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

}  // namespace

void FileSet::make_room() {
    if (open_.size() < most_open) return;
    open_.erase(std::min_element(open_.begin(), open_.end(), [](const auto& a, const auto& b) {
        return a.second.used_at < b.second.used_at;
    }));
}

Result<int> FileSet::open_file(const std::string& path) {
    if (const auto found = open_.find(path); found != open_.end()) {
        found->second.used_at = ++time_;
        return found->second.fd.get();
    }
    make_room();
    const bool fresh = !made_.contains(path);
    int flags = O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY;
    if (fresh && !is_device(path)) {
        std::error_code ignored;  // opening the file tells better what is wrong
        std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
        flags |= O_CREAT | (existing_ == Existing::replace ? O_TRUNC : O_EXCL);
    }
    UniqueFd fd(open(path.c_str(), flags, readable_by_all));
    if (!fd) return fault(fresh ? "make" : "open", path, errno);
    made_.insert(path);
    const int number = fd.get();
    open_[path] = {std::move(fd), ++time_};
    return number;
}

Status FileSet::append(const std::string& path, std::string_view bytes) {
    const auto fd = open_file(path);
    if (!fd) return fd.error();
    while (!bytes.empty()) {
        const ssize_t n = write(*fd, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return fault("write", path, errno);
        bytes.remove_prefix(static_cast<size_t>(n));
    }
    return Ok{};
}

}  // namespace launch
