// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "modex/pmi1/init.hpp"

namespace launch {

/// A program that was started by hand and wants a process manager after all (to spawn, say) listens
/// and executes `mpiexec -pmi_args PORT INTERFACE KEY PID`. We connect to the port of this machine:
///
///     we       cmd=singinit authtype=none
///     it       cmd=singinit pmi_version=1 pmi_subversion=1 stdio=yes authtype=none
///     we       cmd=singinit_info versionok=yes stdio=no kvsname=K
///
/// With stdio=yes it accepts three more connections, for its standard input, output and error. Then
/// it goes on with init on the first connection, as rank 0 of 1.

struct SingletonArguments {
    uint16_t port = 0;
    uint32_t pid = 0;

    bool operator==(const SingletonArguments&) const = default;
};

/// The four words after -pmi_args.
Result<SingletonArguments> parse_pmi_args(const std::vector<std::string>& words);

struct SingletonRequest {
    PmiVersion version;
    bool stdio = false;  ///< it would have its streams connected

    bool operator==(const SingletonRequest&) const = default;
};

/// The program's answer, without its newline.
Result<SingletonRequest> parse_singinit(std::string_view line);

std::string format_singinit();
std::string format_singinit_info(bool version_ok, bool stdio, std::string_view kvsname);

}  // namespace launch
