// SPDX-License-Identifier: MIT
#include "core/base/list_text.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

using Parts = std::vector<std::string_view>;

TEST(ListText, IsTakenApart) {
    struct {
        std::string_view list;
        Parts parts;
    } rows[] = {
        {"", {}},
        {"a", {"a"}},
        {"a,bc,d", {"a", "bc", "d"}},
        {"a,,b", {"a", "", "b"}},
        {",a,", {"", "a", ""}},
        {",", {"", ""}},
    };
    for (const auto& row : rows) {
        EXPECT_EQ(split(row.list, ','), row.parts) << row.list;
        EXPECT_EQ(joined(row.parts, ","), row.list);
    }
}

TEST(ListText, GrowsByParts) {
    std::string list;
    append_part(list, ", ", "a");
    append_part(list, ", ", "b");
    EXPECT_EQ(list, "a, b");
}

}  // namespace
}  // namespace launch
