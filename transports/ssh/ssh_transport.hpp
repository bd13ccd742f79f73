// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/job/job_spec.hpp"
#include "core/process/reaper.hpp"
#include "core/transport.hpp"

namespace launch {

/// Told on the io_context's thread what a curious user may want to know about a start: why
/// OpenSSH's client was used, that a key was accepted. May be empty.
using TransportNote = std::function<void(const std::string& host, const std::string& text)>;

/// Hosts by ssh, inside this process: libssh over sockets that we dial. A host whose ssh config
/// asks for what libssh cannot do is started by OpenSSH's client, with a note; so is every host
/// where libssh is not installed.
std::unique_ptr<Transport> make_ssh_transport(const any_io_executor& executor,
                                              const TransportOptions& options, Reaper& reaper,
                                              TransportNote note = {});

}  // namespace launch
