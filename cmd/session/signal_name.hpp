// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cmd/command.hpp"
#include "core/wire/session_messages.hpp"

namespace launch {

/// Returns the names of signals without SIG, such as TERM.
std::vector<std::string> signal_names();

/// Reads the words of `launch signal`: JOB, SIGNAL, a number or a name with or without SIG, and
/// RANKS, which may be missing.
Result<SignalRequest> read_signal_request(const Asked& asked);

}  // namespace launch
