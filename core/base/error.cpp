// SPDX-License-Identifier: MIT
#include "core/base/error.hpp"

#include <cerrno>
#include <sys/resource.h>
#include <system_error>

namespace launch {

std::string describe(const Error& error) {
    std::string line;
    if (!error.host.empty())
        line += error.host + (error.from.empty() ? "" : ", from " + error.from) + ": ";
    if (error.rank >= 0) line += "rank " + std::to_string(error.rank) + ": ";
    if (!error.operation.empty()) line += error.operation + ": ";
    line += error.cause;
    if (!error.hint.empty()) line += " (" + error.hint + ")";
    return line;
}

std::string errno_text(int errno_value) {
    rlimit limit{};
    if (errno_value != EMFILE || getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return std::generic_category().message(errno_value);
    return "too many open files (ulimit -n " + std::to_string(limit.rlim_cur) + ")";
}

Error os_error(std::string what, int errno_value) {
    Error error;
    error.operation = std::move(what);
    error.cause = errno_text(errno_value);
    return error;
}

}  // namespace launch
