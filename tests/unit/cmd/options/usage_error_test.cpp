// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "cmd/exit_code.hpp"
#include "tests/unit/cmd/words.hpp"
#include "tests/unit/golden.hpp"

namespace launch {
namespace {

/// A line for each thing that is wrong; empty if nothing is.
std::string told(const std::string& words) {
    const auto request = request_of(words_of(words), "a\n");
    if (request) return {};
    EXPECT_EQ(exit_code_of(request.error()), exit_code::usage) << words;
    std::string lines = describe(request.error());
    for (const auto& other : request.error().others)
        lines += "\n" + describe(other);
    return lines;
}

TEST(UsageErrors, SayInOneLineEachWhatIsWrong) {
    replay_golden(told);
}

TEST(UsageErrors, ShowWhatCannotBePrinted) {
    EXPECT_NE(told("--\033[1m app").find("\"--\\x1b[1m\""), std::string::npos);
    EXPECT_NE(told("-f no\001file app").find("\"no\\x01file\""), std::string::npos);
}

}  // namespace
}  // namespace launch
