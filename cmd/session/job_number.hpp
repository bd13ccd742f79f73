// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cmd/command.hpp"
#include "core/base/error.hpp"
#include "core/session/session_client.hpp"
#include "core/wire/job_text.hpp"

namespace launch {

/// The whole text is a number.
std::optional<uint32_t> read_number(const std::string& text);

/// The job of a session that the command's first word names, as `launch ps` shows it.
Result<JobNumber> read_job_number(const Asked& asked);

/// The error of a job that the session does not run, or of a rank that the job does not have;
/// nothing: the session has done what it was asked.
std::optional<Error> refusal(const Asked& asked, const SessionClient& session,
                             const SessionAnswer& answer);

}  // namespace launch
