// SPDX-License-Identifier: MIT
#include <algorithm>

#include "cmd/options/bind.hpp"
#include "cmd/options/format.hpp"
#include "cmd/options/rows/rows.hpp"
#include "cmd/options/table.hpp"

namespace launch {
namespace {

ChoiceWords standard_input_word() {
    return {{"-", "standard input"}};
}

constexpr auto report_formats = std::to_array<Format>({Format::text, Format::svg, Format::html});

constexpr OptionRow page{
    .group = OptionGroup::look,
    .scope = Scope::invocation,
    .names = "-h --help",
    .key = "help",
    .metavar = "",
    .value = flag<&Settings::help>(),
    .help = "the page of this command",
    .manual = "Prints the page of the command.",
};

constexpr OptionRow text_or_json{
    .group = OptionGroup::look,
    .scope = Scope::invocation,
    .names = "--format",
    .key = "format",
    .metavar = "FORMAT",
    .value = format_among<text_and_json, &Settings::view, &ViewSettings::format>(),
    .help = "text or json",
    .manual = "Prints `text`, the default, or `json`, for scripts: see `launch help json`.",
};

constexpr OptionRow report_format{
    .group = OptionGroup::look,
    .scope = Scope::invocation,
    .names = "--format",
    .key = "format",
    .metavar = "FORMAT",
    .value = format_among<report_formats, &Settings::view, &ViewSettings::format>(),
    .help = "text, svg or html",
    .manual =
        "`text`, the default, is for terminals; `svg` is a picture, `html` a page with the "
        "picture and a table of all ranks.",
};

constexpr OptionRow in_session{
    .group = OptionGroup::look,
    .scope = Scope::invocation,
    .names = "--session",
    .key = "session",
    .metavar = "NAME",
    .value = text<&Settings::session>(Kind::text),
    .help = "the session; without it that of LAUNCH_SESSION, or the only one",
    .manual =
        "The session that the command is about. Without this option it is the session that "
        "LAUNCH_SESSION names, or the only one.",
    .completes = Completes::sessions,
};

constexpr OptionRow hostfile{
    .group = OptionGroup::look,
    .scope = Scope::invocation,
    .names = "-f --hostfile",
    .key = "hostfile",
    .metavar = "FILE",
    .value = texts<&ProgramSettings::hostfiles>(Kind::path, standard_input_word),
    .help = "hosts from a file, one a line; - is standard input",
    .manual = "Reads hosts from a file, one host or list on a line; `-` is standard input.",
};

constexpr OptionRow keep_those_that_start{
    .group = OptionGroup::look,
    .scope = Scope::invocation,
    .names = "--allow-missing",
    .key = "allow-missing",
    .metavar = "",
    .value = flag<&Settings::allow_missing>(),
    .help = "keep the hosts that start, if others do not",
    .manual = "Keeps the hosts that start, if others do not. By default none is added then.",
};

constexpr OptionRow when_idle{
    .group = OptionGroup::look,
    .scope = Scope::invocation,
    .names = "--when-idle",
    .key = "when-idle",
    .metavar = "",
    .value = choosing<Leave::when_idle, &Settings::leave>(),
    .help = "remove each host as soon as no job uses it",
    .manual = "Removes each host as soon as no job uses it; new jobs do not get it.",
    .family = "leave",
};

constexpr OptionRow now{
    .group = OptionGroup::look,
    .scope = Scope::invocation,
    .names = "--now",
    .key = "now",
    .metavar = "",
    .value = choosing<Leave::now, &Settings::leave>(),
    .help = "remove the hosts also from jobs that use them",
    .manual = "Removes the hosts at once; jobs that use them lose them.",
    .family = "leave",
};

constexpr OptionRow as_man_page{
    .group = OptionGroup::look,
    .scope = Scope::invocation,
    .names = "--man",
    .key = "man",
    .metavar = "",
    .value = flag<&Settings::as_man_page>(),
    .help = "the source of the manual page",
    .manual = "Prints the source of the manual page, for packagers.",
};

using Rows = const OptionRow*;

constexpr std::array<Rows, 1> of_any{&page};
constexpr std::array<Rows, 2> of_help{&as_man_page, &page};
constexpr std::array<Rows, 2> of_report{&report_format, &page};
constexpr std::array<Rows, 2> of_answer{&text_or_json, &page};
constexpr std::array<Rows, 3> of_ps{&in_session, &text_or_json, &page};
constexpr std::array<Rows, 2> of_job{&in_session, &page};
constexpr std::array<Rows, 4> of_add{&hostfile, &keep_those_that_start, &in_session, &page};
constexpr std::array<Rows, 5> of_remove{&hostfile, &when_idle, &now, &in_session, &page};

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
    {"attach", of_job},
    {"signal", of_job},
    {"session add", of_add},
    {"session remove", of_remove},
});

}  // namespace

const OptionRow& format_of_answers() {
    return text_or_json;
}

OptionTable own_options(std::string_view command) {
    const auto* found =
        std::find_if(by_command.begin(), by_command.end(),
                     [&](const CommandRows& each) { return each.command == command; });
    return found == by_command.end() ? OptionTable(of_any) : found->options;
}

}  // namespace launch
