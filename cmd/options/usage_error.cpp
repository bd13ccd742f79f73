#include "cmd/options/usage_error.hpp"

#include <utility>

namespace launch {

Error usage_error(std::string cause) {
    Error error;
    error.kind = ErrorKind::usage;
    error.cause = std::move(cause);
    error.hint = "see launch --help";
    return error;
}

Error unreadable(std::string what, int errno_value) {
    auto error = os_error(std::move(what), errno_value);
    error.kind = ErrorKind::usage;
    return error;
}

}  // namespace launch
