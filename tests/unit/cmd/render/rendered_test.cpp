// SPDX-License-Identifier: MIT
#include "cmd/render/rendered.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(Rendered, is_the_one_of_the_format_or_the_usual_one) {
    const auto made = [](Format chosen) {
        return rendered(chosen,
                        {{Format::text, [] { return "t"; }}, {Format::svg, [] { return "s"; }}});
    };
    EXPECT_EQ(made(Format::svg), "s");
    EXPECT_EQ(made(Format::text), "t");
    EXPECT_EQ(made(Format::json), "t");
}

}  // namespace
}  // namespace launch
