#pragma once

#include <string>
#include <vector>

#include "core/wire/session_messages.hpp"

namespace launch {

/// Those that have one, as `TERM`.
std::vector<std::string> signal_names();

/// Of the words JOB, SIGNAL, which is a number or a name, with or without SIG, and RANKS, if they
/// are there.
Result<SignalRequest> read_signal_request(const std::vector<std::string>& words);

}  // namespace launch
