// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/base/error.hpp"

namespace launch {

/// How a job was to reach its hosts.
struct Reach {
    std::string transport;   ///< "ssh"
    std::string allocation;  ///< whose hosts they are, as JobSpec has it
};

/// The hint if ssh has not reached hosts that a scheduler gave to the job: the scheduler itself
/// starts programs there. Empty: that is not the cause, or there is no such way.
std::string other_way(const Reach& reach, const Error& error);

}  // namespace launch
