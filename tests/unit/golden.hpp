// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace launch {

/// Texts of the running test that are compared with a golden file when the test ends: for a test of
/// tests/unit/core/head/report_test.cpp with the section of its name in
/// tests/golden/unit/core/head/report.txt. A test fails if a text differs, or if the section has
/// more or fewer of them. Where the variable LAUNCH_REWRITE_GOLDEN is set
/// (`tests/run --rewrite unit:FILTER`) the section is rewritten instead.

/// The text that comes of `input`, which is any words that tell the cases of a test apart.
void expect_golden(const std::string& input, const std::string& text);
void expect_golden(const std::string& input, const std::vector<std::string>& lines);

/// Compares like expect_golden(), and fails if the text lacks one of these words, which the case is
/// about.
void expect_told(const std::vector<std::string>& words, const std::string& text);
void expect_told(const std::vector<std::string>& words, const std::vector<std::string>& lines);

/// Calls `answer` for each input that the section has: to add a case, write a line `$ INPUT` there
/// and rewrite. Fails if the section has no inputs.
void replay_golden(const std::function<std::string(const std::string&)>& answer);

}  // namespace launch
