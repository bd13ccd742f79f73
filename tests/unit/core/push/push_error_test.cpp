#include "core/push/push_error.hpp"

#include <gtest/gtest.h>

namespace launch::push_error {
namespace {

TEST(PushError, reads_what_the_script_says) {
    struct {
        const char* words;
        const char* cause;
    } rows[] = {
        {"folder /tmp: noexec, /home/joe: no space,",
         "no folder there can hold and run it: /tmp: noexec, /home/joe: no space"},
        {"folder", "no folder there can hold and run it: "},
        {"size 12 head: write error: No space left on device",
         "12 of 99 bytes could be written there: head: write error: No space left on device"},
        {"size 12", "12 of 99 bytes could be written there"},
        {"sum", "what arrived there is not what was sent"},
        {"run launch: version `GLIBC_2.34' not found",
         "it does not run there: launch: version `GLIBC_2.34' not found"},
        {"", "it does not run there"},
    };
    for (const auto& row : rows) {
        const Error error = from_script(row.words, 99);
        EXPECT_EQ(error.cause, row.cause);
        EXPECT_EQ(error.operation, "push");
        EXPECT_EQ(error.kind, ErrorKind::unreachable);
        EXPECT_FALSE(error.hint.empty());
    }
}

TEST(PushError, tells_how_far_it_came) {
    EXPECT_EQ(broken_off(3, 9, "").cause, "it ended after 3 of 9 bytes");
    EXPECT_EQ(broken_off(9, 9, "Killed").cause, "it ended after 9 of 9 bytes: Killed");
    EXPECT_EQ(stands_still(3, 9, std::chrono::seconds(60)).cause,
              "3 of 9 bytes were taken, and no more within 60 s");
}

}  // namespace
}  // namespace launch::push_error
