// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "core/job/job_spec.hpp"
#include "core/transport.hpp"

namespace launch {

/// Starts relays as children on this machine, whatever the host is called: one machine plays
/// many, so that a tree can be tried without ssh.
std::unique_ptr<Transport> make_local_transport(any_io_executor executor,
                                                const TransportOptions& options);

}  // namespace launch
