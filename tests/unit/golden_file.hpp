// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace launch {

/// An input and what comes of it.
struct GoldenStep {
    std::string input;
    std::string text;

    bool operator==(const GoldenStep&) const = default;
};

/// The texts of one test: a line with the test's name, as GoogleTest filters it, and steps.
struct GoldenSection {
    std::string test;
    std::vector<GoldenStep> steps;

    bool operator==(const GoldenSection&) const = default;
};

/// The format is that of tests/golden/transcript.py, with these headings as its prose and neither
/// standard error nor exit codes. Lines that are none of that are left out.
std::vector<GoldenSection> read_golden(const std::string& text);
std::string write_golden(const std::vector<GoldenSection>& sections);
std::string write_golden(const std::vector<GoldenStep>& steps);

/// Empty, or the lines from the first on that differs; "(nothing)" stands for a side that has
/// ended.
std::string golden_difference(const std::vector<GoldenStep>& golden,
                              const std::vector<GoldenStep>& now);

/// "core/head/report.txt" for ".../tests/unit/core/head/report_test.cpp"; empty if it is no such
/// path.
std::string golden_name(const std::string& source);

}  // namespace launch
