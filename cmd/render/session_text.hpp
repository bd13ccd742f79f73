// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/wire/session_messages.hpp"

namespace launch {

/// Of what is printed as JSON: raised when a key changes its meaning or goes; one that only comes
/// is no new version.
inline constexpr uint64_t sessions_version = 1;

/// What is printed of sessions and their jobs. `now`: seconds of the Unix epoch.

std::string sessions_text(const std::vector<SessionState>& sessions, uint64_t now);
std::string sessions_json(const std::vector<SessionState>& sessions);

/// One session with its hosts and jobs.
std::string session_text(const SessionState& session, uint64_t now);

/// The jobs of sessions, a line each.
std::string jobs_text(const std::vector<SessionState>& sessions, uint64_t now);

/// The ranks of a job, a line each, as its session has answered.
std::string ranks_text(const SessionState& session, const SessionAnswer& answer);
std::string ranks_json(const SessionState& session, const SessionAnswer& answer);
/// Whose ranks are not among them; empty: nobody's.
std::string silent_text(const SessionState& session, const SessionAnswer& answer);

}  // namespace launch
