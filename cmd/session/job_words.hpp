// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cmd/command.hpp"
#include "core/base/error.hpp"
#include "core/wire/job_text.hpp"
#include "core/wire/session_messages.hpp"

namespace launch {

/// The number of a job that the command's first word names, as `launch ps` shows it.
Result<JobNumber> read_job_number(const Asked& asked);

/// The ranks that the word at this place names; empty: there is no such word.
Result<std::vector<RankRun>> read_rank_word(const Asked& asked, size_t place);

/// Returns the names of signals without SIG, such as TERM.
std::vector<std::string> signal_names();

/// Reads the words of `launch signal` after the job: SIGNAL, a number or a name with or without
/// SIG, and RANKS, which may be missing.
Result<SignalMessage> read_signal_words(const Asked& asked);

}  // namespace launch
