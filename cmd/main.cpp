#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <iostream>
#include <malloc.h>
#include <unistd.h>

#include "cmd/command_line.hpp"
#include "cmd/console.hpp"
#include "cmd/dry_run.hpp"
#include "cmd/exit_code.hpp"
#include "cmd/help.hpp"
#include "cmd/job_spec_from_args.hpp"
#include "cmd/notes.hpp"
#include "cmd/stats_text.hpp"
#include "cmd/wiring.hpp"
#include "core/head/head.hpp"
#include "core/process/guard.hpp"
#include "core/push/own_copy.hpp"
#include "core/relay/relay.hpp"
#include "modex/detect/host_files.hpp"
#include "modex/mapping/process_mapping.hpp"
#include "modex/server/singleton.hpp"

namespace launch {
namespace {

int fail(const Error& error) {
    say(describe(error));
    return exit_code_of(error);
}

int show(const std::string& text) {
    const auto printed = print(text);
    return printed ? exit_code::success : fail(printed.error());
}

std::string log_wanted() {
    const char* log = std::getenv("LAUNCH_LOG");
    return log != nullptr ? log : "";
}

HeadOptions head_options(const CommandLine& line) {
    HeadOptions options;
    options.quiet = line.quiet;
    options.progress = !line.quiet && isatty(STDERR_FILENO) == 1;
    options.log = log_wanted();
    return options;
}

void tell_notes(std::vector<std::string> notes, const Plan& plan) {
    HostFiles files;
    const auto more = notes_of(plan, files);
    notes.insert(notes.end(), more.begin(), more.end());
    for (const auto& note : notes)
        say("note: " + note);
}

void tell_stats(const JobStats& stats, bool json) {
    if (json) {
        std::cerr << stats_json(stats);
        return;
    }
    for (const auto& line : stats_lines(stats))
        say("stats: " + line);
}

int start_job(const CommandLine& line) {
    const auto around = look_around();
    if (!around) return fail(around.error());
    auto request = job_spec_from_args(line, *around, std::cin);
    if (!request) return fail(request.error());
    auto plan = make_plan(std::move(request->spec), topology_factory());
    if (!plan) return fail(plan.error());
    plan->process_mapping = process_mapping(plan->placement);
    if (!line.quiet) tell_notes(request->notes, *plan);
    if (line.dry_run) {
        const auto text = dry_run(*plan, line.view, transport_factory());
        return text ? show(*text) : fail(text.error());
    }
    leave_enclosing_job();
    const auto guard = Guard::split_process(Guard::Role::head);
    const JobOutcome outcome = run_job(std::move(*plan), factories(), head_options(line), guard);
    if (outcome.stats) tell_stats(*outcome.stats, line.stats_json.value_or(false));
    return exit_code_of(outcome);
}

/// A descriptor that is closed when we start would become some file of ours, and a rank's stream.
void open_standard_streams() {
    for (int fd = 0; fd < 3; ++fd) {
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd) return;
    }
}

/// Of the words after --relay one is known: the folder that was made for an executable that was
/// pushed.
int start_relay(const std::vector<std::string>& words) {
    if (words.size() > 1) remove_own_copy(words[1]);
    leave_enclosing_job();
    const auto guard = Guard::split_process(Guard::Role::relay);
    return run_relay(factories(), guard);
}

/// An MPI program that was started by hand takes us for its mpiexec.
int start_singleton(const std::vector<std::string>& words) {
    const auto around = look_around();
    if (!around) return fail(around.error());
    const auto served =
        serve_singleton({words.begin() + 1, words.end()}, around->job_id, log_wanted());
    return served ? exit_code::success : fail(served.error());
}

int start(const std::vector<std::string>& words) {
    if (!words.empty() && words[0] == "--relay") return start_relay(words);
    if (!words.empty() && words[0] == "-pmi_args") return start_singleton(words);
    const auto line = parse_command_line(words);
    if (!line) return fail(line.error());
    if (line->help) return show(help_text(wants_colour()));
    if (line->version) return show(version_text());
    return start_job(*line);
}

/// The last words, of a process that may have no memory for them.
[[noreturn]] void end_with_fault() {
    const char* what = "unexpected end";
    try {
        if (std::current_exception()) throw;
    } catch (const std::exception& fault) {
        what = fault.what();
    } catch (...) {
        what = "unknown exception";
    }
    dprintf(STDERR_FILENO, "launch: internal fault: %s\n", what);
    _exit(exit_code::internal);
}

}  // namespace
}  // namespace launch

int main(int argc, char** argv) {
    std::set_terminate(launch::end_with_fault);
    // Handshakes run in threads; an arena for each would double what a relay keeps resident.
    mallopt(M_ARENA_MAX, 1);
    launch::open_standard_streams();
    try {
        return launch::start({argv + (argc > 0 ? 1 : 0), argv + argc});
    } catch (const std::exception& fault) {  // no memory, above all
        launch::say(std::string("internal fault: ") + fault.what());
        return launch::exit_code::internal;
    }
}
