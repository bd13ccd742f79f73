// SPDX-License-Identifier: MIT
#include "transports/tail_text.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(TailText, KeepsTheEndAndStaysSmall) {
    TailText tail;
    std::string all;
    for (int i = 0; i < 20000; ++i) {
        const std::string word = std::to_string(i) + " ";
        tail.append(word);
        all += word;
    }
    EXPECT_EQ(tail.text(), all.substr(all.size() - TailText::limit));
}

TEST(TailText, KeepsAllOfALittle) {
    TailText tail;
    tail.append("a");
    tail.append("b");
    EXPECT_EQ(tail.text(), "ab");
}

}  // namespace
}  // namespace launch
