// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cmd/options/source.hpp"
#include "cmd/options/table.hpp"
#include "core/base/error.hpp"
#include "core/base/mistakes.hpp"

namespace launch {

/// The words between two ':'.
struct Segment {
    std::vector<Given> options;
    /// Empty only if --help, --version or one that stands alone was met, or a job file names the
    /// programs.
    std::vector<std::string> program;

    /// It ends at --help, --version or one that stands alone.
    bool asks_about_launch() const;
};

/// Whether a word is a job file's name.
using IsJobFile = std::function<bool(const std::string&)>;

/// The mistake of a job file of this name; none: it exists.
using JobFileFault = std::function<std::optional<Error>(const std::string&)>;

/// Whether a command line has programs to run.
enum class Programs : uint8_t {
    needed,  ///< the line names a program, or a job file that does
    none,    ///< the line has options, perhaps a job file, and no program (launch config)
};

/// The kinds of words that are allowed.
struct WordRules {
    OptionTable table = all_options();
    IsJobFile is_job_file = {};  ///< asked of the word where a program would stand; empty: none is
    Programs programs = Programs::needed;
    JobFileFault job_file_fault = {};  ///< asked of one that cannot stand where it does
    std::string separator = ":";       ///< between two programs; "\n": each has a line of its own
    std::vector<std::string> places = {};  ///< "FILE:LINE" of each program, where a file has them
    std::string_view page = {};  ///< of the command, which errors name; empty: that of jobs
};

/// The result of a scan, right or wrong.
struct Scanned {
    std::vector<Segment> segments;
    Mistakes mistakes;
    std::vector<std::string> notes;  ///< on options of other launchers that are passed over
    /// False: it is not clear which words belong together. Else only values may be wrong.
    bool is_clear = true;
};

/// Finds where options end and programs begin, and gives each option its words. The scan stops at
/// --help and --version, because the rest does not matter then; --init and --schema stand alone.
///
/// A job file in the position of a program, and not after --, means --job FILE. Words name one job
/// file at most.
///
/// Accepted: --name VALUE, --name=VALUE, both with one dash, --no-name for a flag, -n4 for a
/// number, and -- before a program. A program's own words are untouched up to a lone ':'.
///
/// All mistakes are reported, those of values too, except those that only follow from another one.
Scanned scan_all(const std::vector<std::string>& words, const WordRules& rules = {});

}  // namespace launch
