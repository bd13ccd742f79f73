#pragma once

#include <string>
#include <vector>

#include "core/wire/session_messages.hpp"

namespace launch {

/// Of the words JOB and SIGNAL, which is a number or a name, with or without SIG.
Result<SignalRequest> read_signal_request(const std::vector<std::string>& words);

}  // namespace launch
