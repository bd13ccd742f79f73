// SPDX-License-Identifier: MIT
#include "core/io/output_error.hpp"

#include <cerrno>

namespace launch {

Error output_error(int errno_value) {
    auto error = os_error("write standard output", errno_value);
    error.kind = errno_value == EPIPE ? ErrorKind::reader_left : ErrorKind::output;
    if (errno_value == EBADF) error.cause = "the stream is closed";
    return error;
}

}  // namespace launch
