// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/base/error.hpp"

namespace launch {

/// Before the job starts: an error where --report FILE could not be written at its end.
Status check_report_file(const std::string& path);
/// At its end. A file that was there is replaced, all at once; a pipe or a terminal is written to.
Status write_report_file(const std::string& path, const std::string& text);

}  // namespace launch
