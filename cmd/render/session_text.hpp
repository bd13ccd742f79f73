// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/wire/session_messages.hpp"

namespace launch {

/// The version of the JSON; raised if a key is removed or changes its meaning.
inline constexpr uint64_t sessions_version = 1;

/// The texts about sessions and their jobs. `now`: seconds of the Unix epoch.

std::string sessions_text(const std::vector<SessionState>& sessions, uint64_t now);
std::string sessions_json(const std::vector<SessionState>& sessions);

/// One session with its hosts and jobs.
std::string session_text(const SessionState& session, uint64_t now);

/// The jobs of sessions, a line each.
std::string jobs_text(const std::vector<SessionState>& sessions, uint64_t now);

/// The ranks of a job, a line each, as its session has answered.
std::string ranks_text(const SessionState& session, const SessionAnswer& answer);
std::string ranks_json(const SessionState& session, const SessionAnswer& answer);
/// Names the hosts that have not answered, whose ranks are missing; empty if all have.
std::string silent_text(const SessionState& session, const SessionAnswer& answer);

}  // namespace launch
