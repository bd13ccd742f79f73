// SPDX-License-Identifier: MIT
#include "core/wire/signal_message.hpp"

#include <csignal>
#include <gtest/gtest.h>

#include "core/base/codec.hpp"
#include "core/wire/messages.hpp"

namespace launch {
namespace {

TEST(SignalMessage, comes_back_as_itself) {
    for (const SignalMessage& message :
         {SignalMessage{SIGTERM}, SignalMessage{0}, SignalMessage{SIGUSR1, {{0, 4, 1}, {7, 1, 1}}}})
        EXPECT_EQ(SignalMessage::decode(message.encode()), message);
}

TEST(SignalMessage, is_a_number_where_all_ranks_get_it) {
    EXPECT_EQ(SignalMessage{SIGTERM}.encode(), encode_number(SIGTERM));
}

TEST(SignalMessage, takes_nothing_else) {
    const std::string rows[] = {
        "",
        encode_number(NSIG),
        encode_number(uint64_t{1} << 40),
        Encoder{}.number(SIGTERM).number(0).take(),                                // nobody
        Encoder{}.number(SIGTERM).number(1).number(0).number(1).number(0).take(),  // no step
        SignalMessage{SIGTERM, {{0, 1, 1}}}.encode() + "x",
    };
    for (const auto& row : rows)
        EXPECT_FALSE(SignalMessage::decode(row)) << testing::PrintToString(row);
}

}  // namespace
}  // namespace launch
