// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cmd/options/settings.hpp"
#include "cmd/request/surroundings.hpp"
#include "core/base/error.hpp"
#include "core/hosts/host.hpp"

namespace launch {

/// The part of the allocation that a job gets.
struct AllocatedHosts {
    std::vector<Host> hosts;
    std::string text;  ///< whose hosts they are and by which variables, or why there are no hosts
    std::string note;  ///< what the user is to know; mostly empty
};

/// The hosts of the batch job around, as --allocation has it. Hosts that are named win (`named`).
/// By itself launch takes none where --transport local asks for this machine, nor in one of several
/// processes that would all take the same.
Result<AllocatedHosts> allocated_hosts(const Settings& line, const Surroundings& around,
                                       bool named);

/// How a job was to reach its hosts.
struct Reach {
    std::string transport;   ///< "ssh"
    std::string allocation;  ///< whose hosts they are, as JobSpec has it
};

/// The hint if ssh has not reached hosts that a scheduler gave to the job: the scheduler itself
/// starts programs there. Empty: that is not the cause, or there is no such way.
std::string other_way(const Reach& reach, const Error& error);

}  // namespace launch
