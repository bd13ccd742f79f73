// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>

namespace launch {

/// A number, at least 1, from an environment variable by which a developer directs a test. Nothing:
/// the variable is not set.
inline std::optional<uint32_t> env_number(const char* variable) {
    const char* const text = std::getenv(variable);
    if (text == nullptr) return std::nullopt;
    return static_cast<uint32_t>(std::max(1, std::atoi(text)));
}

/// Random runs take ten times as long with a sanitizer, which is to see the code that they run,
/// rather than every order of things: it may be given one of so many.
inline uint32_t share_of_seeds() {
    return env_number("LAUNCH_ONE_RANDOM_JOB_OF").value_or(1);
}

}  // namespace launch
