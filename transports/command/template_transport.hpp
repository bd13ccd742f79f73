// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/process/reaper.hpp"
#include "core/transport.hpp"
#include "transports/command/command_template.hpp"
#include "transports/start_failure.hpp"

namespace launch {

/// Hosts by whatever program runs a command there with its streams: the template says how.
/// `user`: who runs this process.
std::unique_ptr<Transport> make_template_transport(const any_io_executor& executor, Reaper& reaper,
                                                   CommandTemplate line, std::string user);

/// The meaning of the program's end without a byte of the remote command: a failure of the program
/// itself, in words without a host's name so that those of many hosts fold; or nothing, if the
/// remote command ended so. `by_hand`: a command for a person to try. Pure.
std::optional<StartFailure> read_command_error(const std::string& program, const Host& host,
                                               std::string_view error_text,
                                               std::optional<int> exit_code,
                                               const std::string& by_hand);

}  // namespace launch
