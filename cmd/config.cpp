// SPDX-License-Identifier: MIT
#include "cmd/command_functions.hpp"
#include "cmd/console.hpp"
#include "cmd/job_word.hpp"
#include "cmd/jobfile/gather.hpp"
#include "cmd/jobfile/job_schema.hpp"
#include "cmd/jobfile/write_job_file.hpp"
#include "cmd/options/usage_error.hpp"
#include "cmd/render/config_text.hpp"
#include "cmd/render/rendered.hpp"
#include "cmd/request/job_request.hpp"
#include "cmd/request/surroundings.hpp"
#include "cmd/run.hpp"

namespace launch {

int start_config(const std::vector<std::string>& words) {
    const auto around = look_around();
    if (!around) return fail(around.error());
    const WordRules rules{.table = config_options(),
                          .is_job_file = is_job_file,
                          .programs = Programs::none,
                          .page = "config"};
    const auto gathered = gather_settings(words, rules, usual_places(around->env, around->wdir));
    if (!gathered.mistakes.empty()) return fail(gathered.mistakes);
    const auto& settings = gathered.settings;
    if (settings.init) return show(commented_config());
    if (settings.schema) return show(job_file_schema());
    const auto possible = check_settings(settings);
    if (!possible) return fail(with_page(possible.error(), "config"));
    tell_notes(gathered.notes);
    return show(
        rendered(settings.view.format, {{Format::text, [&] { return config_text(settings); }},
                                        {Format::json, [&] { return config_json(settings); }}}));
}

}  // namespace launch
