// SPDX-License-Identifier: MIT
#include "cmd/report/report_file.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/fd.hpp"

namespace launch {
namespace {

std::string folder_of(const std::string& path) {
    const size_t slash = path.rfind('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
}

Error failed(const std::string& path, int error, ErrorKind kind) {
    Error failure = os_error("write the report " + path, error);
    failure.kind = kind;
    return failure;
}

/// A rename would put a file in the place of a device or a pipe.
bool is_written_in_place(const std::string& path) {
    struct stat status {};
    return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

bool write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t n = write(fd, text.data(), text.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        text.remove_prefix(static_cast<size_t>(n));
    }
    return true;
}

}  // namespace

Status check_report_file(const std::string& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode))
        return failed(path, EISDIR, ErrorKind::usage);
    const std::string where = is_written_in_place(path) ? path : folder_of(path);
    if (access(where.c_str(), W_OK) != 0) return failed(path, errno, ErrorKind::usage);
    return Ok{};
}

Status write_report_file(const std::string& path, const std::string& text) {
    const bool in_place = is_written_in_place(path);
    const std::string target = in_place ? path : path + ".new-" + std::to_string(getpid());
    const int flags = O_WRONLY | O_CLOEXEC | (in_place ? 0 : O_CREAT | O_EXCL);
    UniqueFd file(open(target.c_str(), flags, 0666));
    if (!file) return failed(path, errno, ErrorKind::output);
    const bool written = write_all(file.get(), text);
    int error = errno;
    if (in_place) return written ? Status(Ok{}) : failed(path, error, ErrorKind::output);
    if (written && rename(target.c_str(), path.c_str()) == 0) return Ok{};
    if (written) error = errno;
    unlink(target.c_str());
    return failed(path, error, ErrorKind::output);
}

}  // namespace launch
