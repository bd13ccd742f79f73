// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>

#include "core/base/error.hpp"

namespace launch {

/// The error of a request that cannot be planned.
inline Error plan_error(std::string cause) {
    Error error;
    error.kind = ErrorKind::usage;
    error.operation = "plan the job";
    error.cause = std::move(cause);
    return error;
}

}  // namespace launch
