// SPDX-License-Identifier: MIT
#include "cmd/render/json.hpp"

#include <gtest/gtest.h>

#include "tests/unit/golden.hpp"

namespace launch {
namespace {

TEST(Json, has_a_line_for_each_key_and_each_object_of_a_list) {
    const Json hosts = Json::array({{{"name", "a"}, {"ranks", {0, 1}}}, {{"name", "b"}}});
    expect_golden("an object", json_text({{"version", 1}, {"hosts", hosts}, {"ranks", {1, 2}}}));
    expect_golden("on one line", json_line({{"version", 1}, {"hosts", hosts}}));
    expect_golden("empty lists", json_text({{"hosts", Json::array()}}));
}

TEST(Json, is_valid_whatever_the_bytes_of_a_text) {
    using namespace std::literals;
    struct {
        const char* row;
        std::string_view text;
        const char* json;
    } rows[] = {
        {"plain", "a b", R"("a b")"},
        {"quotes", R"(a"\b)", R"("a\"\\b")"},
        {"controls", "\n\t\x01\0"sv, R"("\n\t\u0001\u0000")"},
        {"UTF-8", "ä€😀", "\"ä€😀\""},
        {"a byte of Latin-1", "\xE4!", "\"\uFFFD!\""},
        {"cut short", "\xE2\x82", "\"\uFFFD\""},
        {"too long a form", "\xC0\xAF", "\"\uFFFD\uFFFD\""},
        {"a surrogate", "\xED\xA0\x80", "\"\uFFFD\uFFFD\uFFFD\""},
        {"above Unicode", "\xF4\x90\x80\x80", "\"\uFFFD\uFFFD\uFFFD\uFFFD\""},
    };
    for (const auto& row : rows)
        EXPECT_EQ(json_line(row.text), row.json + "\n"s) << row.row;
    EXPECT_EQ(json_text({{"a", "\xff"}}), "{\n  \"a\": \"\uFFFD\"\n}\n");
}

}  // namespace
}  // namespace launch
