// SPDX-License-Identifier: MIT
#include "cmd/session/job_number.hpp"

#include <charconv>

#include "cmd/options/suggest.hpp"
#include "cmd/options/usage_error.hpp"
#include "core/base/list_text.hpp"

namespace launch {

std::optional<uint32_t> read_number(const std::string& text) {
    uint32_t number = 0;
    const char* end = text.data() + text.size();
    const auto [at, fault] = std::from_chars(text.data(), end, number);
    if (fault != std::errc() || at != end) return std::nullopt;
    return number;
}

Result<JobNumber> read_job_number(const Asked& asked) {
    const auto number = read_number(asked.words.front());
    if (number && *number != 0) return JobNumber{*number};
    return asked.wrong(shown(asked.words.front()) + " is not a job number");
}

std::optional<Error> refusal(const Asked& asked, const SessionClient& session,
                             const SessionAnswer& answer) {
    if (answer.kind == SessionAnswer::Kind::done) return std::nullopt;
    const std::string job = asked.words.empty() ? "" : asked.words.front();
    if (answer.kind == SessionAnswer::Kind::no_rank)
        return asked.wrong("job " + job + " of session " + session.state().name + " has " +
                           joined(answer.lines, ""));
    auto error = usage_error("session " + session.state().name + " has no job " + job);
    error.hint = "`launch ps` lists the running jobs";
    return error;
}

}  // namespace launch
