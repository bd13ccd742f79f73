// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/error.hpp"

/// The words for what can go wrong while launch is pushed to a host. None names the host, so that
/// equal failures of many hosts fold into one message.
namespace launch::push_error {

/// The error that the script reported as "KIND WORDS"; it was to get `size` bytes.
Error from_script(std::string_view words, uint64_t size);
/// `there` and `here` as uname -m has them.
Error other_machine(const std::string& there, const std::string& here);
/// The stream ended, or stood still, when this much of it had been taken.
Error broken_off(uint64_t taken, uint64_t size, const std::string& said);
Error stands_still(uint64_t taken, uint64_t size, std::chrono::milliseconds limit);
/// It is there, runs and does not greet.
Error no_greeting(std::chrono::milliseconds limit);
/// This process cannot read its own executable.
Error unreadable(Error cause);

}  // namespace launch::push_error
