// SPDX-License-Identifier: MIT
#include "cmd/render/json_writer.hpp"

#include <gtest/gtest.h>

#include "cmd/render/json_text.hpp"

namespace launch {
namespace {

TEST(JsonWriter, SetsCommasAndLines) {
    JsonWriter json;
    json.begin_object().key("a").number(1).key("b").begin_array().string("x\n").boolean(false);
    json.null().end().newline().key("c").begin_array();
    json.newline().begin_object().end().newline().number(UINT64_MAX).newline().end();
    json.newline().end();
    EXPECT_EQ(json.take(),
              "{\"a\": 1, \"b\": [\"x\\n\", false, null],\n"
              "  \"c\": [\n"
              "    {},\n"
              "    18446744073709551615\n"
              "  ]\n"
              "}");
}

TEST(JsonWriter, AnEmptyListStaysOnItsLine) {
    JsonWriter json;
    EXPECT_EQ(json.begin_array().end().take(), "[]");
}

TEST(JsonText, IsAlwaysUtf8) {
    EXPECT_EQ(json_string("a\"\\\t\x01\xff\xc3\xa9"),
              "\"a\\\"\\\\\\t\\u0001\xEF\xBF\xBD\xc3\xa9\"");
}

}  // namespace
}  // namespace launch
