// SPDX-License-Identifier: MIT
#include <iostream>

#include "cmd/command_functions.hpp"
#include "cmd/console.hpp"
#include "cmd/doctor/doctor_text.hpp"
#include "cmd/doctor/examine.hpp"
#include "cmd/doctor/judge.hpp"
#include "cmd/exit_code.hpp"
#include "cmd/jobfile/gather.hpp"
#include "cmd/options/usage_error.hpp"
#include "cmd/render/rendered.hpp"
#include "cmd/request/job_request.hpp"
#include "cmd/request/surroundings.hpp"
#include "cmd/run.hpp"

namespace launch {
namespace {

int tell(const Examined& examined, Format format) {
    if (examined.signal != 0) return exit_code::signal_base + examined.signal;
    const auto findings = judge(examined.seen);
    const int shown = show(
        rendered(format, {{Format::text, [&] { return doctor_text(examined.seen, findings); }},
                          {Format::json, [&] { return doctor_json(examined.seen, findings); }}}));
    if (shown != exit_code::success) return shown;
    const auto kind = would_fail_by(findings);
    return kind ? exit_code_of(Error{*kind, {}, {}, -1, {}, {}}) : exit_code::success;
}

}  // namespace

int start_doctor(const std::vector<std::string>& words) {
    const auto around = look_around();
    if (!around) return fail(around.error());
    const WordRules rules{.table = doctor_options(), .programs = Programs::none, .page = "doctor"};
    const auto gathered = gather_settings(words, rules, usual_places(around->env, around->wdir));
    if (!gathered.mistakes.empty()) return fail(gathered.mistakes);
    Settings settings = gathered.settings;
    const Format format = std::exchange(settings.view, {}).format;
    if (!settings.quiet) tell_notes(gathered.notes);
    auto request = make_request(settings, *around, std::cin);
    if (!request) return fail(with_page(request.error(), "doctor"));
    if (!settings.quiet) tell_notes(request->notes);
    const auto examined = examine_hosts(std::move(request->spec), around->wdir);
    return examined ? tell(*examined, format) : fail(examined.error());
}

}  // namespace launch
