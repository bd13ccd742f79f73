// SPDX-License-Identifier: MIT
#include <iostream>
#include <unistd.h>
#include <utility>

#include "cmd/command_functions.hpp"
#include "cmd/console.hpp"
#include "cmd/exit_code.hpp"
#include "cmd/job_word.hpp"
#include "cmd/jobfile/gather.hpp"
#include "cmd/jobfile/read_job_file.hpp"
#include "cmd/jobfile/write_job_file.hpp"
#include "cmd/options/usage_error.hpp"
#include "cmd/render/dry_run.hpp"
#include "cmd/render/gather_text.hpp"
#include "cmd/render/stats_text.hpp"
#include "cmd/report/report.hpp"
#include "cmd/request/file_copies.hpp"
#include "cmd/request/job_request.hpp"
#include "cmd/request/output.hpp"
#include "cmd/request/read_hosts.hpp"
#include "cmd/request/surroundings.hpp"
#include "cmd/session/attach_debuggers.hpp"
#include "cmd/session/background.hpp"
#include "cmd/session/join.hpp"
#include "cmd/wiring.hpp"
#include "core/head/head.hpp"
#include "core/head/mpir.hpp"
#include "core/process/guard.hpp"
#include "core/session/session.hpp"
#include "modex/detect/host_files.hpp"
#include "modex/mapping/process_mapping.hpp"

namespace launch {
namespace {

HeadOptions head_options(const Settings& settings, std::vector<FetchSpec> fetches) {
    HeadOptions options;
    options.fetches = std::move(fetches);
    options.quiet = settings.quiet;
    options.progress = !settings.quiet && isatty(STDERR_FILENO) == 1;
    options.log = log_wanted();
    return options;
}

void tell_notes_of(const Plan& plan) {
    HostFiles files;
    tell_notes(notes_of(plan, files));
}

void tell_stats(const JobStats& stats, Format format) {
    if (format == Format::json) {
        std::cerr << stats_json(stats);
        return;
    }
    for (const auto& line : stats_lines(stats))
        say("stats: " + line);
}

/// Words that are no UTF-8 cannot stand in TOML: told now, not when the file is read.
int show_job_file(const Settings& settings, const Surroundings& around) {
    const std::string text = write_job_file(settings, around.wdir);
    const auto again = read_job_file(text, {"the job file", {}, Layer::job_file});
    if (again.mistakes.empty()) return show(text);
    Error error = again.mistakes[0];
    error.cause = "this job cannot be written as a job file: " + error.cause;
    error.hint.clear();
    return fail(error);
}

/// Checks, as far as possible, that the files of output and of --fetch can be made here.
Status check_paths(const Plan& plan, const std::vector<FetchSpec>& fetches) {
    auto writable = check_output_paths(plan);
    if (writable) writable = check_fetched_paths(fetches, plan);
    return writable;
}

int show_plan(const Plan& plan, const Settings& settings, const Surroundings& around) {
    if (settings.view.format == Format::toml) return show_job_file(settings, around);
    const auto text = dry_run(plan, settings.view, factories());
    return text ? show(*text) : fail(text.error());
}

/// Shows the gathered output.
int show_gathered(const JobOutcome& outcome, GatherChoice gather) {
    if (!outcome.gathered) return exit_code::success;
    const GatheredOutput& all = *outcome.gathered;
    const bool json = gather == GatherChoice::json;
    if (!json) std::cerr << gather_text(all, Stream::err, gather);
    return show(json ? gather_json(all) : gather_text(all, Stream::out, gather));
}

/// Where --report asked for one.
int write_report(const JobOutcome& outcome, const Settings& settings, int code) {
    if (settings.report.empty() || !outcome.timeline) return exit_code::success;
    const auto written = write_report_file(settings.report, report_json({*outcome.timeline, code}));
    return written ? exit_code::success : fail(written.error());
}

/// Says which command was meant, if a program that was not found has almost its name.
void tell_command_meant(const JobOutcome& outcome, const Settings& settings) {
    if (!outcome.failed) return;
    const std::string command(command_meant(settings, *outcome.failed));
    if (!command.empty()) say("did you mean `launch " + command + "`?");
}

/// The exit code of the job, or that what it was to tell could not be written.
int end_of_job(const JobOutcome& outcome, const Settings& settings, GatherChoice gather) {
    const int code = exit_code_of(outcome);
    tell_command_meant(outcome, settings);
    const int shown = show_gathered(outcome, gather);
    const int written = write_report(outcome, settings, code);
    if (code != exit_code::success) return code;
    return shown != exit_code::success ? shown : written;
}

/// On slots that are reserved.
int run_reserved(const SessionPlace& place, SessionClient session, SessionPlan made,
                 const HeadOptions& options, const Settings& settings) {
    leave_enclosing_job();
    const GatherChoice gather = made.plan.spec.policies.output.gather;
    const bool has_terminal = made.plan.spec.policies.output.pty == PtyChoice::user;
    // Alone for the terminal's modes: the processes of the job are the session's.
    const auto guard = has_terminal ? Guard::split_process(Guard::Role::head) : Guard::none();
    const JobOutcome outcome = run_in_session(std::move(made.plan), factories(), options, place,
                                              std::move(session), std::move(made.nodes), guard);
    return end_of_job(outcome, settings, gather);
}

/// In the background, if there is one, from when it has its slots.
int join_session(const JobRequest& request, const Settings& settings, const Surroundings& around,
                 const std::string& name, Background* background) {
    const JobSpec& spec = request.spec;
    const SessionPlace place = session_place(around.env);
    auto session = connect_session(place, name);
    if (!session) return fail(with_program_meant(session.error(), settings, around.env));
    auto made = settings.dry_run ? plan_in_session(spec, settings, session->state())
                                 : reserve_in_session(spec, settings, *session);
    if (!made) return fail(made.error());
    if (!settings.quiet) tell_notes(notes_of_excluded(spec, settings, session->state()));
    if (!settings.quiet) tell_notes_of(made->plan);
    if (settings.dry_run) return show_plan(made->plan, settings, around);
    const auto writable = check_paths(made->plan, request.fetches);
    if (!writable) return fail(writable.error());
    const auto options = head_options(settings, request.fetches);
    if (settings.show_map) std::cerr << plan_text(made->plan, {}, {});
    if (background == nullptr)
        return run_reserved(place, *std::move(session), *std::move(made), options, settings);
    auto detached = DetachedRun::begin(place, session->state().name, made->number);
    if (!detached) return fail(detached.error());
    if (!detached->leave(*background)) return exit_code::internal;
    const int code = run_reserved(place, *std::move(session), *std::move(made), options, settings);
    detached->end(code);
    return code;
}

/// In a session: on hosts that run already.
int start_in_session(const Settings& settings, const Surroundings& around,
                     const std::string& name) {
    const auto possible = check_session_settings(settings);
    if (!possible) return fail(possible.error());
    Settings here = settings;
    here.allocation = AllocationChoice::none;
    here.session = name;
    auto request = make_request(here, around, std::cin);
    if (!request) return fail(request.error());
    if (!settings.quiet) tell_notes(request->notes);
    if (!settings.detach || settings.dry_run)
        return join_session(*request, settings, around, name, nullptr);
    auto background = Background::split(Background::Alone::goes_on);
    if (!background) return fail(background.error());
    if (!background->is_background()) return tell_detached(*background, settings.quiet);
    return join_session(*request, settings, around, name, &*background);
}

int start_job(const Settings& settings, const Surroundings& around) {
    if (!settings.report.empty() && !settings.dry_run) {
        const auto writable = check_report_file(settings.report);
        if (!writable) return fail(writable.error());
    }
    const auto session = wanted_session(settings, around.env);
    if (!session.empty()) return start_in_session(settings, around, session);
    auto request = make_request(settings, around, std::cin);
    if (!request) return fail(request.error());
    auto plan = make_plan(std::move(request->spec), topology_factory());
    if (!plan) return fail(plan.error());
    plan->process_mapping = process_mapping(plan->placement);
    if (!settings.quiet) {
        tell_notes(request->notes);
        tell_notes_of(*plan);
    }
    if (settings.dry_run) return show_plan(*plan, settings, around);
    const auto writable = check_paths(*plan, request->fetches);
    if (!writable) return fail(writable.error());
    if (settings.show_map) std::cerr << plan_text(*plan, {}, {});
    leave_enclosing_job();
    auto options = head_options(settings, std::move(request->fetches));
    options.process = getpid();
    if (plan->spec.policies.tools && !mpir::share())
        say("note: --tools: no debugger finds the ranks here, because this kernel has larger "
            "pages");
    // A debugger follows the process that it has started.
    const auto guard = plan->spec.policies.hold == Hold::at_exec
                           ? Guard::none()
                           : Guard::split_process(Guard::Role::head);
    const Reach reach{plan->spec.transport.name, plan->spec.allocation};
    const GatherChoice gather = plan->spec.policies.output.gather;
    const JobOutcome outcome = run_job(std::move(*plan), factories(), options, guard);
    if (outcome.error) tell_other_way(reach, *outcome.error);
    if (outcome.stats) tell_stats(*outcome.stats, settings.stats.value_or(Format::text));
    return end_of_job(outcome, settings, gather);
}

/// `help`: what of the guide --help shows. `debugger`: under which ranks run where no option says
/// so; empty: none.
int start_words(const std::vector<std::string>& words, const std::string& help,
                const std::string& debugger = {}) {
    const auto around = look_around();
    if (!around) return fail(around.error());
    auto expanded = with_config_file(words);
    if (!expanded) return fail(expanded.error());
    const WordRules rules{
        .is_job_file = is_job_file, .separator = expanded->separator, .places = expanded->places};
    auto gathered =
        gather_settings(expanded->words, rules, usual_places(around->env, around->wdir));
    if (!gathered.mistakes.empty()) return fail(gathered.mistakes);
    auto& settings = gathered.settings;
    if (settings.help) return show_page(help);
    if (settings.version) return show_version({});
    if (settings.policies.debugger.empty())
        settings.policies.debugger = settings.attach.empty() ? debugger : "gdb";
    if (mpir::is_debugged() && settings.policies.debugger.empty()) {
        settings.policies.hold = Hold::at_exec;
        settings.policies.liveness = milliseconds{0};  // the debugger stops this process, too
    }
    if (!settings.attach.empty()) {
        auto attached = attach_debuggers(std::move(settings));
        if (!attached) return fail(attached.error());
        settings = *std::move(attached);
    }
    if (!settings.quiet) tell_notes(gathered.notes);
    if (settings.dry_run && settings.view.format == Format::toml) {
        const auto taken = take_hosts_from_input(settings, std::cin);
        if (!taken) return fail(taken.error());
    }
    return start_job(settings, *around);
}

}  // namespace

int start_run(const std::vector<std::string>& words) {
    return start_words(words, {});
}

int start_run_command(const std::vector<std::string>& words) {
    return start_words(words, "run");
}

int start_debug(const std::vector<std::string>& words) {
    return start_words(words, "debug", "gdb");
}

}  // namespace launch
