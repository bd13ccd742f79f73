// SPDX-License-Identifier: MIT
#include "modex/pmi2/message.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(Pmi2Message, lengths_are_read) {
    struct Row {
        const char* six;
        std::optional<size_t> length;
    };
    const Row rows[] = {
        {"    22", 22}, {"22    ", 22}, {"  7   ", 7},  {" 65536", 65536},
        {" 65537", {}}, {"999999", {}}, {"     0", {}}, {"      ", {}},
        {"    -1", {}}, {"  1 2 ", {}}, {"cmd=in", {}}, {"0x10  ", {}},
    };
    for (const auto& row : rows)
        EXPECT_EQ(parse_pmi2_length(row.six), row.length) << row.six;
}

TEST(Pmi2Message, fields_are_found_and_semicolons_undoubled) {
    const auto message =
        Pmi2Message::parse("cmd=kvs-put;key=a;value=x;;y=z;;;thrid=;value=2;last=l");
    ASSERT_TRUE(message) << message.error().cause;
    EXPECT_EQ(message->command(), "kvs-put");
    EXPECT_EQ(message->field("key"), "a");
    EXPECT_EQ(message->field("value"), "x;y=z;");
    EXPECT_EQ(message->field("thrid"), "");
    EXPECT_EQ(message->field("last"), "l");
    EXPECT_EQ(message->field("cmd"), std::nullopt);
    EXPECT_EQ(message->field("val"), std::nullopt);
}

TEST(Pmi2Message, says_what_is_wrong) {
    struct Row {
        std::string body;
        const char* cause;
    };
    const Row rows[] = {
        {"", "sent '', which is not PMI-2"},
        {"cmd", "sent 'cmd', which is not PMI-2"},
        {"key=a;cmd=b;", "sent 'key=a;cmd=b;', which is not PMI-2"},
        {"=a;", "sent '=a;', which is not PMI-2"},
        {"cmd=a;b;", "sent 'cmd=a;b;', which has a field without '='"},
        {"cmd=a;=b;", "sent 'cmd=a;=b;', which has a field without '='"},
        {std::string("cmd=a\0;", 7), "sent 'cmd=a\\x00;', which holds a NUL byte"},
    };
    for (const auto& row : rows) {
        const auto message = Pmi2Message::parse(row.body);
        ASSERT_FALSE(message) << row.body;
        EXPECT_EQ(message.error().cause, row.cause);
    }
}

TEST(Pmi2Message, what_is_written_is_read) {
    std::string out = "before";
    Pmi2Writer writer(out, "kvs-get", "-response");
    writer.number("rc", -1).field("value", "a;;b;").finish();
    EXPECT_EQ(out, "before    42cmd=kvs-get-response;rc=-1;value=a;;;;b;;;");
    const auto message = Pmi2Message::parse(std::string_view(out).substr(12));
    ASSERT_TRUE(message);
    EXPECT_EQ(message->field("value"), "a;;b;");
}

}  // namespace
}  // namespace launch
