// SPDX-License-Identifier: MIT
#include "cmd/command_functions.hpp"
#include "cmd/console.hpp"
#include "cmd/render/rendered.hpp"
#include "cmd/render/session_text.hpp"
#include "cmd/render/stacks_text.hpp"
#include "cmd/session/job_words.hpp"
#include "cmd/session/running_job.hpp"
#include "core/link/patience.hpp"

namespace launch {

int show_stacks(const Asked& asked) {
    auto ranks = read_rank_word(asked, 1);
    if (!ranks) return fail(ranks.error());
    auto job = find_job(asked);
    if (!job) return fail(job.error());
    const SurveyOrder order{0, SurveyOrder::Subject::stacks, *std::move(ranks), patience::stacks};
    const auto answer = ask(asked, *job, SurveyRequest{job->number, order});
    if (!answer) return fail(answer.error());
    const std::string silent = silent_text(job->client.state(), *answer);
    if (!silent.empty()) say(silent);
    const StackGroups& stacks = answer->survey.stacks;
    return show(
        rendered(asked.settings.view.format, {{Format::text, [&] { return stacks_text(stacks); }},
                                              {Format::json, [&] { return stacks_json(stacks); }},
                                              {Format::svg, [&] { return stacks_svg(stacks); }},
                                              {Format::dot, [&] { return stacks_dot(stacks); }}}));
}

}  // namespace launch
