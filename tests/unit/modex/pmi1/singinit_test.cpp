// SPDX-License-Identifier: MIT
#include "modex/pmi1/singinit.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(Singinit, arguments_are_read) {
    const auto arguments = parse_pmi_args({"40123", "default_interface", "default_key", "77"});
    ASSERT_TRUE(arguments);
    EXPECT_EQ(*arguments, (SingletonArguments{40123, 77}));
    struct Row {
        std::vector<std::string> words;
        const char* cause;
    };
    const Row rows[] = {
        {{"1", "a"}, "needs a port, an interface, a key and a process id"},
        {{"0", "i", "k", "7"}, "'0' is not a port"},
        {{"65536", "i", "k", "7"}, "'65536' is not a port"},
        {{"1", "i", "k", "x\n"}, "'x\\n' is not a process id"},
    };
    for (const auto& row : rows) {
        const auto wrong = parse_pmi_args(row.words);
        ASSERT_FALSE(wrong) << row.cause;
        EXPECT_EQ(wrong.error().cause, row.cause);
        EXPECT_EQ(wrong.error().kind, ErrorKind::usage);
    }
}

TEST(Singinit, the_handshake_is_read_and_written) {
    EXPECT_EQ(format_singinit(), "cmd=singinit authtype=none\n");
    EXPECT_EQ(format_singinit_info(true, false, "kvs"),
              "cmd=singinit_info versionok=yes stdio=no kvsname=kvs\n");
    EXPECT_EQ(format_singinit_info(false, true, "kvs"),
              "cmd=singinit_info versionok=no stdio=yes kvsname=kvs\n");
    const auto answer =
        parse_singinit("cmd=singinit pmi_version=1 pmi_subversion=1 stdio=yes authtype=none");
    ASSERT_TRUE(answer);
    EXPECT_EQ(*answer, (SingletonRequest{{1, 1}, true}));
    EXPECT_FALSE(parse_singinit("cmd=singinit pmi_version=1"));
    EXPECT_FALSE(parse_singinit("cmd=init pmi_version=1 pmi_subversion=1"));
    EXPECT_FALSE(parse_singinit("cmd=singinit pmi_version=1 pmi_subversion=1 authtype=shared"));
}

}  // namespace
}  // namespace launch
