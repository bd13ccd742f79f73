// SPDX-License-Identifier: MIT
#include "core/push/push_error.hpp"

#include <gtest/gtest.h>

#include "tests/unit/golden.hpp"

namespace launch::push_error {
namespace {

TEST(PushError, reads_what_the_script_says) {
    const char* rows[] = {
        "folder /tmp: noexec, /home/joe: no space,",
        "folder",
        "size 12 head: write error: No space left on device",
        "size 12",
        "sum",
        "run launch: version `GLIBC_2.34' not found",
        "",
    };
    for (const char* words : rows) {
        const Error error = from_script(words, 99);
        expect_golden(words, error.cause);
        EXPECT_EQ(error.operation, "push");
        EXPECT_EQ(error.kind, ErrorKind::unreachable);
        EXPECT_FALSE(error.hint.empty());
    }
}

TEST(PushError, tells_how_far_it_came) {
    expect_told({"3 of 9"}, broken_off(3, 9, "").cause);
    expect_told({"9 of 9", "Killed"}, broken_off(9, 9, "Killed").cause);
    expect_told({"3 of 9", "60 s"}, stands_still(3, 9, std::chrono::seconds(60)).cause);
}

}  // namespace
}  // namespace launch::push_error
