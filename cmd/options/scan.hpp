#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cmd/options/source.hpp"
#include "cmd/options/table.hpp"
#include "core/base/error.hpp"

namespace launch {

/// What stands between two ':'.
struct Segment {
    std::vector<Given> options;
    /// Empty only if --help or --version was met, or a job file names the programs.
    std::vector<std::string> program;

    /// It ends at --help or --version.
    bool asks_about_launch() const;
};

/// Whether a word is a job file's name.
using IsJobFile = std::function<bool(const std::string&)>;

/// Finds where options end and programs begin, and gives each option its words. At --help and
/// --version the scan stops, as what follows does not matter then.
///
/// A job file that stands where a program would, and not after --, is what --job FILE is. Words
/// name one job file at most.
///
/// Accepted: --name VALUE, --name=VALUE, both with one dash, --no-name for a flag, -n4 for a
/// number, and -- before a program. A program's own words are untouched up to a lone ':'.
Result<std::vector<Segment>> scan_words(const std::vector<std::string>& words,
                                        OptionTable table = all_options(),
                                        const IsJobFile& is_job_file = {});

}  // namespace launch
