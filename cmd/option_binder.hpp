#pragma once

#include <CLI/CLI.hpp>

#include "cmd/command_line.hpp"

namespace launch {

/// Registers every option of the table with CLI11, by its canonical name: its values are checked
/// and converted into `line` or, for what holds for one program only, into `program`; both
/// outlive the parse. Of a value given twice the last one counts; lists grow.
void bind_options(CLI::App& app, CommandLine& line, ProgramArgs& program);

}  // namespace launch
