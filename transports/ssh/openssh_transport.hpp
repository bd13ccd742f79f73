// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/job/job_spec.hpp"
#include "core/process/reaper.hpp"
#include "core/transport_factory.hpp"
#include "transports/ssh/ssh_profile.hpp"

namespace launch {

/// Hosts by the system's ssh client as a child process. It behaves as the ssh transport does: the
/// same stages, causes and hints, retries and deadlines, and never a prompt.
std::unique_ptr<Transport> make_openssh_transport(const any_io_executor& executor,
                                                  std::shared_ptr<SshProfile> profile,
                                                  Reaper& reaper, TransportNote note = {});

/// The client's command line. `options`: as a profile has them. `config`: what the user's config
/// says about the host; only what it leaves open is set here. `new_keys`: the file for keys that
/// the client accepts; empty: its own choice. Pure.
std::vector<std::string> openssh_command_line(const TransportOptions& options,
                                              const HostConfig& config, const StartRequest& request,
                                              const std::string& new_keys = {});

}  // namespace launch
