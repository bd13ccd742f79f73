// SPDX-License-Identifier: MIT
#include "cmd/command_functions.hpp"
#include "cmd/console.hpp"
#include "cmd/render/rendered.hpp"
#include "cmd/render/session_text.hpp"
#include "cmd/render/stacks_text.hpp"
#include "cmd/session/job_words.hpp"
#include "cmd/session/join.hpp"
#include "core/link/patience.hpp"

namespace launch {
namespace {

/// The only job of the session.
Result<JobNumber> only_job(const Asked& asked, const SessionState& session) {
    if (session.jobs.size() == 1) return session.jobs.front().number;
    auto error = asked.wrong(session.jobs.empty()
                                 ? "no job runs in session " + session.name
                                 : "several jobs run in session " + session.name + "; name one");
    error.hint = "`launch ps` lists the running jobs";
    return error;
}

Result<SurveyRequest> read_request(const Asked& asked, const SessionState& session) {
    const auto job = asked.words.empty() ? only_job(asked, session) : read_job_number(asked);
    if (!job) return job.error();
    auto ranks = read_rank_word(asked, 1);
    if (!ranks) return ranks.error();
    return SurveyRequest{*job, {0, SurveyOrder::What::stacks, *std::move(ranks), patience::stacks}};
}

}  // namespace

int show_stacks(const Asked& asked) {
    auto client = connect_one(asked.settings.session);
    if (!client) return fail(client.error());
    const auto request = read_request(asked, client->state());
    if (!request) return fail(request.error());
    const auto answer = client->ask(*request);
    if (!answer) return fail(answer.error());
    if (const auto refused = refusal(asked, client->state(), *answer)) return fail(*refused);
    const std::string silent = silent_text(client->state(), *answer);
    if (!silent.empty()) say(silent);
    const StackGroups& stacks = answer->survey.stacks;
    return show(rendered(asked.settings.view.format,
                         {{Format::text, [&] { return stacks_text(stacks); }},
                          {Format::json, [&] { return stacks_json(stacks); }}}));
}

}  // namespace launch
