// SPDX-License-Identifier: MIT
#include "core/stage/disk_error.hpp"

#include <cerrno>

namespace launch {
namespace {

std::string hint_for(int errno_value) {
    switch (errno_value) {
        case ENOSPC:
        case EDQUOT: return "free some space there, or name another DEST: --stage FILE:DEST";
        case EROFS:
        case EACCES:
        case EPERM: return "name a DEST that you can write to: --stage FILE:DEST";
        case ENOENT:
            return "the folder of DEST must exist there; a relative DEST is in the job's own "
                   "folder";
        case EFBIG:
            return "the file system, or ulimit -f there, does not allow a file of that size";
        default: return {};
    }
}

}  // namespace

Error stage_error(const std::string& source, const std::string& path, std::string cause,
                  std::string hint) {
    Error error;
    error.kind = ErrorKind::staging;
    error.operation = "stage " + source;
    if (!path.empty()) error.operation += " to " + path;
    error.cause = std::move(cause);
    error.hint = std::move(hint);
    return error;
}

Error stage_os_error(const std::string& source, const std::string& path, int errno_value) {
    return stage_error(source, path, os_error({}, errno_value).cause, hint_for(errno_value));
}

}  // namespace launch
