// SPDX-License-Identifier: MIT
#include <algorithm>

#include "cmd/options/bind.hpp"
#include "cmd/options/format.hpp"
#include "cmd/options/rows/rows.hpp"
#include "cmd/options/rows/with_texts.hpp"
#include "cmd/options/table.hpp"

namespace launch {
namespace {

ChoiceWords standard_input_word() {
    return {{"-", "standard input"}};
}

constexpr auto report_formats = std::to_array<Format>({Format::text, Format::svg, Format::html});

/// As values number the rows below.
enum OwnRow : uint8_t {
    page,
    text_or_json,
    report_format,
    in_session,
    hostfile,
    keep_those_that_start,
    when_idle,
    now,
    as_man_page
};

constexpr auto rows = std::to_array<OptionRow>({
    {.group = OptionGroup::look,
     .scope = Scope::invocation,
     .names = "-h --help",
     .key = "help",
     .value = flag<&Settings::help>()},
    {.group = OptionGroup::look,
     .scope = Scope::invocation,
     .names = "--format",
     .key = "format",
     .metavar = "FORMAT",
     .value = format_among<text_and_json, &Settings::view, &ViewSettings::format>()},
    {.group = OptionGroup::look,
     .scope = Scope::invocation,
     .names = "--format",
     .key = "format",
     .metavar = "FORMAT",
     .value = format_among<report_formats, &Settings::view, &ViewSettings::format>()},
    {.group = OptionGroup::look,
     .scope = Scope::invocation,
     .names = "--session",
     .key = "session",
     .metavar = "NAME",
     .value = text<&Settings::session>(Kind::text),
     .completes = Completes::sessions},
    {.group = OptionGroup::look,
     .scope = Scope::invocation,
     .names = "-f --hostfile",
     .key = "hostfile",
     .metavar = "FILE",
     .value = texts<&ProgramSettings::hostfiles>(Kind::path, standard_input_word)},
    {.group = OptionGroup::look,
     .scope = Scope::invocation,
     .names = "--allow-missing",
     .key = "allow-missing",
     .value = flag<&Settings::allow_missing>()},
    {.group = OptionGroup::look,
     .scope = Scope::invocation,
     .names = "--when-idle",
     .key = "when-idle",
     .value = choosing<RemoveRequest::When::when_idle, &Settings::leave>(),
     .family = "leave"},
    {.group = OptionGroup::look,
     .scope = Scope::invocation,
     .names = "--now",
     .key = "now",
     .value = choosing<RemoveRequest::When::now, &Settings::leave>(),
     .family = "leave"},
    {.group = OptionGroup::look,
     .scope = Scope::invocation,
     .names = "--man",
     .key = "man",
     .value = flag<&Settings::as_man_page>()},
});

constexpr auto own = with_texts("commands", rows);

using Rows = const OptionRow*;

constexpr std::array<Rows, 1> of_any{&own[page]};
constexpr std::array<Rows, 2> of_help{&own[as_man_page], &own[page]};
constexpr std::array<Rows, 2> of_report{&own[report_format], &own[page]};
constexpr std::array<Rows, 2> of_answer{&own[text_or_json], &own[page]};
constexpr std::array<Rows, 3> of_ps{&own[in_session], &own[text_or_json], &own[page]};
constexpr std::array<Rows, 2> of_job{&own[in_session], &own[page]};
constexpr std::array<Rows, 4> of_add{&own[hostfile], &own[keep_those_that_start], &own[in_session],
                                     &own[page]};
constexpr std::array<Rows, 5> of_remove{&own[hostfile], &own[when_idle], &own[now],
                                        &own[in_session], &own[page]};

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
    {"stacks", of_ps},
    {"attach", of_job},
    {"signal", of_job},
    {"session add", of_add},
    {"session remove", of_remove},
});

}  // namespace

const OptionRow& format_of_answers() {
    return own[text_or_json];
}

OptionTable own_options(std::string_view command) {
    const auto* found =
        std::find_if(by_command.begin(), by_command.end(),
                     [&](const CommandRows& each) { return each.command == command; });
    return found == by_command.end() ? OptionTable(of_any) : found->options;
}

}  // namespace launch
