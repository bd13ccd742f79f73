#pragma once

#include <string>
#include <vector>

#include "cmd/options.hpp"
#include "core/base/error.hpp"

namespace launch {

/// An option that was given.
struct GivenOption {
    const OptionInfo* option;
    std::string spelling;  ///< "-np", for messages
    std::string value;     ///< empty for a flag; "NAME=VALUE" where the option takes two words
};

/// What stands between two ':'.
struct Segment {
    std::vector<GivenOption> options;
    std::vector<std::string> program;  ///< empty only if --help or --version was met
};

/// Finds where options end and programs begin, and gives each option its words. That much must be
/// known before a parser for long options can read mpiexec's -np. At --help and --version the scan
/// stops, as what follows does not matter then.
///
/// Accepted: --name VALUE, --name=VALUE, both with one dash, -n4 for a number, and -- before a
/// program. A program's own words are untouched up to a lone ':'.
Result<std::vector<Segment>> scan_words(const std::vector<std::string>& words);

}  // namespace launch
