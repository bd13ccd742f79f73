// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "cmd/options/row.hpp"

namespace launch {

/// The parts of the table of options. A new option is a row in one of them, and the field in
/// settings.hpp that it fills.
std::span<const OptionRow> rows_of_programs();
std::span<const OptionRow> rows_of_hosts();
std::span<const OptionRow> rows_of_binding();
std::span<const OptionRow> rows_of_env();
std::span<const OptionRow> rows_of_mpi();
std::span<const OptionRow> rows_of_trees();
std::span<const OptionRow> rows_of_streams();
std::span<const OptionRow> rows_of_output();
std::span<const OptionRow> rows_of_failures();
std::span<const OptionRow> rows_of_views();
/// Options that only `launch config` has.
std::span<const OptionRow> rows_of_config();
/// The --format of commands that answer as text or JSON.
const OptionRow& format_of_answers();
/// Options that only `launch session start` has.
std::span<const OptionRow> rows_of_session();

}  // namespace launch
