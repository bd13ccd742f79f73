// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.hpp"
#include "transports/backoff.hpp"

namespace launch {

/// Why a start failed, and whether another try may help.
struct StartFailure {
    Error error;
    Retry retry = Retry::no;
};

}  // namespace launch
