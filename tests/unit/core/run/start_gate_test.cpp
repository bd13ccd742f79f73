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

}  // namespace
}  // namespace launch
