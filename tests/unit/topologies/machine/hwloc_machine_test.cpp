// SPDX-License-Identifier: MIT
#include "topologies/machine/hwloc_machine.hpp"

#include <gtest/gtest.h>

#include "core/bind/bind_ranks.hpp"
#include "core/bind/draw_binding.hpp"
#include "core/process/cpus.hpp"

namespace launch {
namespace {

Machine synthetic(const std::string& text) {
    auto machine = synthetic_machine(text);
    EXPECT_TRUE(machine) << text;
    return machine ? *std::move(machine) : Machine{};
}

TEST(HwlocMachine, reads_two_sockets_with_two_numa_nodes_each) {
    const Machine machine = synthetic("pack:2 numa:2 l3:1 core:4 pu:2");
    EXPECT_FALSE(machine.is_here);
    EXPECT_EQ(to_string(machine.usable), "0-31");
    EXPECT_EQ(machine.all(MachinePart::socket).size(), 2u);
    EXPECT_EQ(machine.all(MachinePart::numa).size(), 4u);
    EXPECT_EQ(machine.all(MachinePart::l3).size(), 4u);
    EXPECT_EQ(machine.all(MachinePart::core).size(), 16u);
    EXPECT_EQ(machine.all(MachinePart::hwthread).size(), 32u);
    EXPECT_EQ(to_string(machine.all(MachinePart::numa).at(1)), "8-15");
    PlaceChoice choice;
    choice.bind = {.how = BindChoice::How::part, .part = MachinePart::numa};
    const auto places = bind_ranks(machine, choice, 2);
    ASSERT_TRUE(places);
    EXPECT_EQ(draw_binding(machine, places->at(1)),
              "[../../../../BB/BB/BB/BB][../../../../../../../..]");
}

TEST(HwlocMachine, takes_odd_machines_as_they_are) {
    EXPECT_TRUE(synthetic("core:3 pu:1").all(MachinePart::l3).empty());
    // Threads of a core whose numbers are far apart, as the kernel gives them.
    const Machine apart = synthetic("pack:1 core:2 pu:2(indexes=0,2,1,3)");
    EXPECT_EQ(to_string(apart.all(MachinePart::core).at(0)), "0,2");
    EXPECT_EQ(to_string(apart.all(MachinePart::core).at(1)), "1,3");
    // Neither cores nor sockets are told of.
    const Machine bare = synthetic("pu:4");
    EXPECT_EQ(bare.all(MachinePart::core).size(), 4u);
    EXPECT_EQ(draw_binding(bare, *read_cpus("2")), "[././B/.]");
    // A socket of one large NUMA node, and an L3 cache for every two cores.
    const Machine wide = synthetic("numa:1 pack:2 l3:2 core:2 pu:1");
    EXPECT_EQ(wide.all(MachinePart::numa).size(), 1u);
    EXPECT_EQ(wide.all(MachinePart::l3).size(), 4u);
}

TEST(HwlocMachine, says_so_where_a_description_is_none) {
    const auto machine = synthetic_machine("pack:2 nonsense");
    ASSERT_FALSE(machine);
    EXPECT_EQ(machine.error().cause, "hwloc does not understand pack:2 nonsense");
}

TEST(HwlocMachine, reads_this_machine) {
    const auto machine = read_machine(true);
    ASSERT_TRUE(machine) << machine.error().cause;
    EXPECT_TRUE(machine->is_here);
    EXPECT_TRUE(own_cpus().is_within(machine->usable));
    EXPECT_FALSE(machine->usable_parts(MachinePart::core).empty());
    EXPECT_FALSE(machine->usable_parts(MachinePart::socket).empty());
}

}  // namespace
}  // namespace launch
