// SPDX-License-Identifier: MIT
#include "topologies/machine/remembered_machine.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(RememberedMachine, IsReadOnceAndAgainWhereItCouldNotBe) {
    int reads = 0;
    bool works = false;
    const MachineReader read = remembered([&](bool with_gpus) -> Result<Machine> {
        ++reads;
        if (!works) return Error{.cause = "not now"};
        Machine machine;
        machine.gpus.resize(with_gpus ? 1 : 0);
        return machine;
    });
    EXPECT_FALSE(read(false));
    works = true;
    for (int i = 0; i < 3; ++i)
        EXPECT_TRUE(read(false));
    EXPECT_EQ(reads, 2);
    EXPECT_EQ(read(true)->gpus.size(), 1u);
    EXPECT_EQ(read(false)->gpus.size(), 0u);
    EXPECT_EQ(reads, 3);
}

}  // namespace
}  // namespace launch
