// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/base/build_id.hpp"
#include "core/factories.hpp"
#include "core/process/guard.hpp"

namespace launch {

/// `launch --relay`: speaks frames on standard input and output with the node that started it,
/// runs its part of a job and leaves when told to or when that link ends. Returns the exit code.
int run_relay(const Factories& factories, const Guard& guard);

/// Runs a relay over a link of its own, see call_back(), which explains the file.
int run_called_relay(const Factories& factories, const Guard& guard, const std::string& file);

}  // namespace launch
