// SPDX-License-Identifier: MIT
#include <algorithm>

#include "cmd/options/bind.hpp"
#include "cmd/options/rows/rows.hpp"
#include "cmd/options/table.hpp"
#include "cmd/options/values.hpp"

namespace launch {
namespace {

constexpr auto report_formats = std::to_array<Format>({Format::text, Format::svg, Format::html});

constexpr auto stack_formats =
    std::to_array<Format>({Format::text, Format::json, Format::dot, Format::svg});

constexpr auto plan_formats =
    std::to_array<Format>({Format::text, Format::json, Format::toml, Format::dot, Format::svg});

constexpr auto look_rows = std::to_array<OptionRow>({
    {.names = "--job",
     .metavar = "FILE",
     .value = text<&Settings::job_file>(Kind::path),
     .example = "job.toml"},
    {.names = "--dry-run", .value = flag<&Settings::dry_run>()},
    {.names = "--explain", .value = flag<&Settings::view, &ViewSettings::explain>()},
    {.names = "--full", .value = flag<&Settings::view, &ViewSettings::full>()},
    {.names = "--format",
     .metavar = "FORMAT",
     .value = format_among<plan_formats, &Settings::view, &ViewSettings::format>()},
    {.names = "--attach",
     .metavar = "JOB",
     .value = text<&Settings::attach>(Kind::text),
     .example = "1"},
    {.names = "-h --help", .value = flag<&Settings::help>()},
    {.names = "-V --version", .value = flag<&Settings::version>()},
});

constexpr auto config_rows = std::to_array<OptionRow>({
    {.names = "--init", .value = flag<&Settings::init>()},
    {.names = "--schema", .value = flag<&Settings::schema>()},
    {.names = "--job",
     .metavar = "FILE",
     .value = text<&Settings::job_file>(Kind::path),
     .example = "job.toml"},
});

constexpr auto session_rows = std::to_array<OptionRow>({
    {.names = "--name",
     .metavar = "NAME",
     .value = text<&Settings::session_name>(Kind::text),
     .example = "work"},
    {.names = "--idle", .metavar = "TIME", .value = time<&Settings::session_idle>()},
});

/// As values number the rows below.
enum OwnRow : uint8_t {
    help_page,
    text_or_json,
    report_format,
    stack_format,
    in_session,
    of_hostfile,
    keep_those_that_start,
    when_idle,
    right_now,
    as_man_page
};

constexpr auto commands_rows = std::to_array<OptionRow>({
    {.names = "-h --help", .value = flag<&Settings::help>()},
    {.names = "--format",
     .metavar = "FORMAT",
     .value = format_among<text_and_json, &Settings::view, &ViewSettings::format>()},
    {.names = "--format",
     .metavar = "FORMAT",
     .value = format_among<report_formats, &Settings::view, &ViewSettings::format>()},
    {.names = "--format",
     .metavar = "FORMAT",
     .value = format_among<stack_formats, &Settings::view, &ViewSettings::format>()},
    {.names = "--session",
     .metavar = "NAME",
     .value = text<&Settings::session>(Kind::text),
     .completes = Completes::sessions},
    {.names = "-f --hostfile",
     .metavar = "FILE",
     .value = texts<&ProgramSettings::hostfiles>(Kind::path, standard_input_word)},
    {.names = "--allow-missing", .value = flag<&Settings::allow_missing>()},
    {.names = "--when-idle",
     .value = choosing<RemoveRequest::When::when_idle, &Settings::leave>(),
     .family = "leave"},
    {.names = "--now",
     .value = choosing<RemoveRequest::When::now, &Settings::leave>(),
     .family = "leave"},
    {.names = "--man", .value = flag<&Settings::as_man_page>()},
});

constexpr auto own = complete_rows("commands", OptionGroup::look, Scope::invocation, commands_rows);

constexpr std::array<const OptionRow*, 1> of_any{&own[help_page]};
constexpr std::array<const OptionRow*, 2> of_help{&own[as_man_page], &own[help_page]};
constexpr std::array<const OptionRow*, 2> of_report{&own[report_format], &own[help_page]};
constexpr std::array<const OptionRow*, 2> of_answer{&own[text_or_json], &own[help_page]};
constexpr std::array<const OptionRow*, 3> of_ps{&own[in_session], &own[text_or_json],
                                                &own[help_page]};
constexpr std::array<const OptionRow*, 3> of_stacks{&own[in_session], &own[stack_format],
                                                    &own[help_page]};
constexpr std::array<const OptionRow*, 2> of_job{&own[in_session], &own[help_page]};
constexpr std::array<const OptionRow*, 4> of_add{&own[of_hostfile], &own[keep_those_that_start],
                                                 &own[in_session], &own[help_page]};
constexpr std::array<const OptionRow*, 5> of_remove{
    &own[of_hostfile], &own[when_idle], &own[right_now], &own[in_session], &own[help_page]};

struct CommandRows {
    std::string_view command;
    OptionTable options;
};

constexpr auto by_command = std::to_array<CommandRows>({
    {"help", of_help},
    {"report", of_report},
    {"session list", of_answer},
    {"session show", of_answer},
    {"ps", of_ps},
    {"stacks", of_stacks},
    {"attach", of_job},
    {"signal", of_job},
    {"session add", of_add},
    {"session remove", of_remove},
});

}  // namespace

std::span<const OptionRow> rows_of_look() {
    static constexpr auto complete =
        complete_rows("look", OptionGroup::look, Scope::invocation, look_rows);
    return complete;
}

std::span<const OptionRow> rows_of_config() {
    static constexpr auto complete =
        complete_rows("config", OptionGroup::look, Scope::invocation, config_rows);
    return complete;
}

std::span<const OptionRow> rows_of_session() {
    static constexpr auto complete =
        complete_rows("session", OptionGroup::hosts, Scope::invocation, session_rows);
    return complete;
}

std::span<const OptionRow> format_of_answers() {
    return std::span(&own[text_or_json], 1);
}

OptionTable own_options(std::string_view command) {
    const auto* found =
        std::find_if(by_command.begin(), by_command.end(),
                     [&](const CommandRows& each) { return each.command == command; });
    return found == by_command.end() ? OptionTable(of_any) : found->options;
}

}  // namespace launch
