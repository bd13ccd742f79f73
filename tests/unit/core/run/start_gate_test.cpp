// SPDX-License-Identifier: MIT
#include "core/run/start_gate.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

using Lock = StartGate::Lock;

TEST(StartGate, opens_with_its_last_lock_whichever_that_is) {
    EXPECT_TRUE(StartGate().is_open());
    for (const auto& [first, second] :
         {std::pair{Lock::files, Lock::word}, std::pair{Lock::word, Lock::files},
          std::pair{Lock::word, Lock::look}, std::pair{Lock::look, Lock::files}}) {
        StartGate gate;
        gate.close(first);
        gate.close(second);
        gate.open(first);
        EXPECT_FALSE(gate.is_open());
        gate.open(first);
        EXPECT_FALSE(gate.is_open());
        gate.open(second);
        EXPECT_TRUE(gate.is_open());
    }
}

using Next = StartGate::Next;

TEST(StartGate, has_the_offer_prepared_once_and_last) {
    StartGate gate;
    gate.close(Lock::files);
    EXPECT_EQ(gate.next(true), Next::wait);
    gate.open(Lock::files);
    EXPECT_EQ(gate.next(true), Next::prepare);
    EXPECT_FALSE(gate.is_open());
    EXPECT_EQ(gate.next(true), Next::wait);
    EXPECT_EQ(gate.next(false), Next::wait);  // told meanwhile that none is to run
    gate.prepared();
    EXPECT_TRUE(gate.is_open());
    EXPECT_EQ(gate.next(true), Next::start);
}

TEST(StartGate, waits_for_locks_that_are_closed_while_the_offer_is_prepared) {
    StartGate gate;
    EXPECT_EQ(gate.next(true), Next::prepare);
    gate.close(Lock::word);
    gate.prepared();
    EXPECT_EQ(gate.next(true), Next::wait);
    gate.open(Lock::word);
    EXPECT_EQ(gate.next(true), Next::start);
}

TEST(StartGate, prepares_nothing_for_who_does_not_run) {
    StartGate gate;
    EXPECT_EQ(gate.next(false), Next::start);
}

}  // namespace
}  // namespace launch
