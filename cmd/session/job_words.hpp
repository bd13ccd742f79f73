// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cmd/command.hpp"
#include "core/base/error.hpp"
#include "core/wire/job_text.hpp"
#include "core/wire/session_messages.hpp"

namespace launch {

/// The job of a session that the command's first word names, as `launch ps` shows it.
Result<JobNumber> read_job_number(const Asked& asked);

/// The ranks that the word at this place names; empty: there is no such word.
Result<std::vector<RankRun>> read_rank_word(const Asked& asked, size_t place);

/// The error of a job that the session does not run, or of a rank that the job does not have;
/// nothing: the session has done what it was asked.
std::optional<Error> refusal(const Asked& asked, const SessionState& session,
                             const SessionAnswer& answer);

/// Returns the names of signals without SIG, such as TERM.
std::vector<std::string> signal_names();

/// Reads the words of `launch signal`: JOB, SIGNAL, a number or a name with or without SIG, and
/// RANKS, which may be missing.
Result<SignalRequest> read_signal_request(const Asked& asked);

}  // namespace launch
