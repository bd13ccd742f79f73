// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>

#include "core/base/error.hpp"

namespace launch::guide {

/// The mistake in a page: a fault of launch, which tests find.
inline Error page_fault(std::string cause) {
    Error error;
    error.operation = "read a page";
    error.cause = std::move(cause);
    return error;
}

}  // namespace launch::guide
