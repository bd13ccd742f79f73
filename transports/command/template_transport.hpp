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

/// What it means that the program ended so, without a byte of the remote command: a failure of the
/// program's own, in words that name no host so that those of many fold; or nothing, where it was
/// the remote command that ended so. `by_hand`: what a person would try. Pure.
std::optional<StartFailure> read_command_error(const std::string& program, const Host& host,
                                               std::string_view error_text,
                                               std::optional<int> exit_code,
                                               const std::string& by_hand);

}  // namespace launch
