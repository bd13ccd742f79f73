// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "cmd/options/source.hpp"
#include "cmd/options/table.hpp"
#include "core/base/mistakes.hpp"

namespace launch {

/// The contents of a file in the form of a job file, and all mistakes in it, in its order.
struct JobFile {
    Source source;
    Mistakes mistakes;  ///< each begins with "FILE:LINE:COLUMN: "
};

/// Where a file stands, for messages and for what it names.
struct FilePlace {
    std::string name;    ///< as the user wrote it
    std::string folder;  ///< of its relative paths; empty: the current one
    Layer layer;
};

/// Reads TOML (toml.io, version 1.0). A key is an option's; those of a program stand in its
/// [[program]], or at the top for all programs. A file of configuration has no programs.
JobFile read_job_file(std::string_view text, const FilePlace& place,
                      OptionTable table = all_options());

}  // namespace launch
