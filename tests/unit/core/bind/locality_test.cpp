// SPDX-License-Identifier: MIT
#include "core/bind/locality.hpp"

#include <gtest/gtest.h>

#include "tests/unit/core/bind/machines.hpp"

namespace launch {
namespace {

std::string text_of(const Machine& machine, const char* cpus) {
    return locality_text(machine, read_cpus(cpus).value_or(CpuSet{}));
}

TEST(Locality, NumbersThePartsThatARankUses) {
    // Socket 1 has the numa nodes 2 and 3, the cores 4 to 7, the CPUs 8 to 15.
    const Machine machine = machine_of({.sockets = 2, .numas = 2, .cores = 2, .threads = 2});
    EXPECT_EQ(text_of(machine, "0"), "SK0:CR0:HT0:NM0");
    EXPECT_EQ(text_of(machine, "10-11"), "SK1:CR5:HT10-11:NM2");
    EXPECT_EQ(text_of(machine, "1,7-8"), "SK0-1:CR0,3-4:HT1,7-8:NM0-2");
    EXPECT_EQ(text_of(machine, ""), "");
}

TEST(Locality, TellsOfCaches) {
    Machine machine = machine_of({.sockets = 1, .cores = 4});
    machine.all(MachinePart::l3) = {*read_cpus("0-1"), *read_cpus("2-3")};
    machine.all(MachinePart::l2) = machine.all(MachinePart::core);
    machine.all(MachinePart::l1) = machine.all(MachinePart::core);
    EXPECT_EQ(text_of(machine, "2"), "SK0:L31:L22:L12:CR2:HT2:NM0");
}

}  // namespace
}  // namespace launch
