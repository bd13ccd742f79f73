#include "core/base/error.hpp"

#include <system_error>

namespace launch {

std::string describe(const Error& error) {
    std::string line;
    if (!error.host.empty()) line += error.host + ": ";
    if (error.rank >= 0) line += "rank " + std::to_string(error.rank) + ": ";
    if (!error.operation.empty()) line += error.operation + ": ";
    line += error.cause;
    if (!error.hint.empty()) line += " (" + error.hint + ")";
    return line;
}

Error os_error(std::string what, int errno_value) {
    Error error;
    error.operation = std::move(what);
    error.cause = std::generic_category().message(errno_value);
    return error;
}

}  // namespace launch
