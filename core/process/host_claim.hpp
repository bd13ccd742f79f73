// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/base/fd.hpp"

namespace launch {

/// Which of several processes of this user on this host does what all of them were started for.
struct HostClaim {
    bool ours = true;  ///< false: another one has it
    /// As long as it is open, here or in a child, nobody else gets the claim. Empty: it could not
    /// be had, and nobody else can either.
    UniqueFd held;
};

/// By a name that all of them know, and others cannot guess.
HostClaim claim_on_host(const std::string& name);

}  // namespace launch
