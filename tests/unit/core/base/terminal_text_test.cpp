// SPDX-License-Identifier: MIT
#include "core/base/terminal_text.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(TerminalText, ShowsWhatATerminalWouldObey) {
    const struct {
        const char* text;
        const char* shown;
    } rows[] = {
        {"n1: no such file", "n1: no such file"},
        {"", ""},
        {"Stra\xc3\x9f"
         "e\tK\xc3\xb6ln \\ \"x\"",
         "Stra\xc3\x9f"
         "e\tK\xc3\xb6ln \\ \"x\""},
        {"\033[31m\007red", "\\x1b[31m\\x07red"},
        {"two\r\nlines\x7f", "two\\x0d\\nlines\\x7f"},
        {"\xc2\x9b"
         "31m \xc2\xa0",
         "\xc2\\x9b31m \xc2\xa0"},
    };
    for (const auto& row : rows)
        EXPECT_EQ(terminal_text(row.text), row.shown) << row.shown;
}

}  // namespace
}  // namespace launch
