// SPDX-License-Identifier: MIT
#include "core/bind/bind_ranks.hpp"

#include <gtest/gtest.h>
#include <string>

#include "cmd/options/place_values.hpp"
#include "core/bind/draw_binding.hpp"
#include "tests/unit/core/bind/machines.hpp"
#include "tests/unit/golden.hpp"

namespace launch {
namespace {

/// As the options say it.
PlaceChoice choice_of(const std::string& bind, const std::string& map = "slot",
                      const std::string& rank_by = "slot") {
    PlaceChoice choice;
    MapBy map_by;
    EXPECT_EQ(read_bind(bind, choice.bind), "") << bind;
    EXPECT_EQ(read_map_by(map, map_by), "") << map;
    MachinePart by{};
    EXPECT_EQ(read_rank_by(rank_by, by), "") << rank_by;
    choice.rank_by = by;
    choice.map = map_by.part;
    return choice;
}

/// "0 1 2-3": the CPUs of each rank, "-" for one that is not bound; or why not.
std::string bound(const Machine& machine, const PlaceChoice& choice, uint32_t ranks) {
    const auto places = bind_ranks(machine, choice, ranks);
    if (!places) return places.error().cause;
    std::string text;
    for (const CpuSet& cpus : *places)
        text += (text.empty() ? "" : " ") + (cpus.empty() ? "-" : to_string(cpus));
    return text;
}

TEST(BindRanks, deals_parts_of_the_machine) {
    const MachineShape plain{.sockets = 2, .cores = 4};
    const MachineShape threads{.sockets = 2, .numas = 2, .cores = 2, .threads = 2};
    const MachineShape odd{.sockets = 3, .cores = 1};
    struct {
        MachineShape machine;
        const char* bind;
        const char* map;
        const char* rank_by;
        uint32_t ranks;
        const char* places;
    } const rows[] = {
        {plain, "core", "slot", "slot", 3, "0 1 2"},
        {plain, "core", "slot", "slot", 8, "0 1 2 3 4 5 6 7"},
        {plain, "core:2", "slot", "slot", 3, "0-1 2-3 4-5"},
        {plain, "core:3", "slot", "slot", 2, "0-2 3-5"},
        {plain, "socket", "slot", "slot", 3, "0-3 4-7 0-3"},
        {plain, "machine", "slot", "slot", 2, "0-7 0-7"},
        {plain, "none", "slot", "slot", 2, "- -"},
        {plain, "core", "socket", "slot", 4, "0 4 1 5"},
        {plain, "core:2", "socket", "slot", 4, "0-1 4-5 2-3 6-7"},
        {plain, "socket", "core", "slot", 5, "0-3 0-3 0-3 0-3 4-7"},
        {plain, "core", "core", "slot", 2, "0 1"},
        {plain, "core", "core", "socket", 3, "0 1 2"},
        {plain, "core", "slot", "socket", 6, "0 4 1 5 2 3"},
        {plain, "core", "ppr:2:socket", "slot", 4, "0 1 4 5"},
        {plain, "core", "ppr:1:socket", "slot", 2, "0 4"},
        {plain, "socket", "ppr:2:socket", "slot", 4, "0-3 0-3 4-7 4-7"},
        {plain, "auto", "socket", "slot", 2, "0-3 4-7"},
        {plain, "auto", "socket:PE=2", "slot", 2, "0-1 4-5"},
        {plain, "auto", "slot:PE=4", "slot", 2, "0-3 4-7"},
        {plain, "auto", "slot", "slot", 2, "0 1"},
        {plain, "user:0-1,4+6", "slot", "slot", 3, "0-1 4,6 0-1"},
        {plain, "core:overload", "slot", "slot", 9, "0 1 2 3 4 5 6 7 0"},
        {plain, "core:3:overload", "slot", "slot", 3, "0-2 3-5 0-2"},
        {threads, "core", "slot", "slot", 2, "0-1 2-3"},
        {threads, "core", "numa:2", "slot", 5, "0-1 8-9 2-3 10-11 4-5"},
        {threads, "numa", "numa:2", "slot", 4, "0-3 8-11 4-7 12-15"},
        {threads, "auto", "numa:2", "slot", 2, "0-7 8-15"},
        {plain, "core", "core:3", "slot", 4, "0 3 1 4"},
        {threads, "hwthread", "slot", "slot", 3, "0 1 2"},
        {threads, "hwthread:2", "slot", "slot", 2, "0-1 2-3"},
        {threads, "numa", "slot", "slot", 4, "0-3 4-7 8-11 12-15"},
        {threads, "numa", "socket", "slot", 4, "0-3 8-11 4-7 12-15"},
        {threads, "core", "numa", "slot", 5, "0-1 4-5 8-9 12-13 2-3"},
        {threads, "hwthread", "core", "slot", 9, "0 2 4 6 8 10 12 14 1"},
        {threads, "socket", "numa", "slot", 4, "0-7 0-7 8-15 8-15"},
        {threads, "numa:2", "slot", "slot", 2, "0-7 8-15"},
        {odd, "socket", "slot", "slot", 3, "0 1 2"},
        {odd, "core:2", "slot", "slot", 1, "0-1"},
    };
    for (const auto& row : rows)
        EXPECT_EQ(
            bound(machine_of(row.machine), choice_of(row.bind, row.map, row.rank_by), row.ranks),
            row.places)
            << row.bind << " " << row.map << " " << row.rank_by << " " << row.ranks;
}

TEST(BindRanks, says_what_does_not_fit) {
    const Machine machine = machine_of({.sockets = 2, .cores = 4, .threads = 2});
    struct {
        const char* bind;
        uint32_t ranks;
        const char* map = "slot";
        const char* rank_by = "slot";
    } const rows[] = {
        {"core", 9},
        {"hwthread", 17},
        {"core:3", 3},
        {"hwthread:6", 3},
        {"core:9", 1},
        {"core:5", 1, "socket"},
        {"core", 5, "ppr:2:socket"},
        {"core", 1, "socket:3"},
        {"core:9", 1, "socket:2"},
        {"core:3", 1, "core:2"},
        {"l3", 1},
        {"core", 1, "l3"},
        {"auto", 2, "slot", "l1"},
        {"socket", 9},
    };
    for (const auto& row : rows) {
        const auto places =
            bind_ranks(machine, choice_of(row.bind, row.map, row.rank_by), row.ranks);
        ASSERT_FALSE(places) << row.bind << " " << row.map;
        expect_golden(std::to_string(row.ranks) + " ranks, --bind " + row.bind + " -map-by " +
                          row.map + " --rank-by " + row.rank_by,
                      describe(places.error()));
    }
}

TEST(BindRanks, keeps_to_the_cpus_that_may_be_used) {
    Machine machine = machine_of({.sockets = 2, .cores = 4, .threads = 2});
    machine.usable = *read_cpus("3-5,12");
    EXPECT_EQ(bound(machine, choice_of("core"), 3), "3 4-5 12");
    EXPECT_EQ(bound(machine, choice_of("socket"), 2), "3-5 12");
    EXPECT_EQ(bound(machine, choice_of("machine"), 1), "3-5,12");
    EXPECT_EQ(bound(machine, choice_of("core", "socket"), 2), "3 12");
    expect_golden("4 ranks on 3 cores", bound(machine, choice_of("core"), 4));
    expect_golden("user:0", bound(machine, choice_of("user:0"), 1));
    EXPECT_EQ(draw_binding(machine, *read_cpus("4-5")), "[--/-./BB/--][--/--/.-/--]");
}

TEST(BindRanks, binds_nobody_unasked_who_might_be_worse_off) {
    const Machine machine = machine_of({.sockets = 1, .cores = 2, .threads = 2});
    EXPECT_EQ(bound(machine, choice_of("auto"), 1), "-");
    EXPECT_EQ(bound(machine, choice_of("auto"), 2), "0-1 2-3");
    EXPECT_EQ(bound(machine, choice_of("auto"), 3), "- - -");
    EXPECT_FALSE(may_bind(choice_of("auto"), 1, 8));
    EXPECT_FALSE(may_bind(choice_of("auto"), 9, 8));
    EXPECT_FALSE(may_bind(choice_of("none"), 2, 8));
    EXPECT_TRUE(may_bind(choice_of("auto"), 2, 8));
    EXPECT_TRUE(may_bind(choice_of("core"), 1, 8));
    EXPECT_TRUE(may_bind(choice_of("auto", "socket"), 1, 8));
}

// Whatever is asked: each rank has a place within what may be used, or it is said why not.
TEST(BindRanks, never_leaves_the_cpus_that_may_be_used) {
    uint32_t checked = 0;
    for (const MachineShape& shape : {MachineShape{2, 2, 4, 2}, MachineShape{1, 1, 3, 1},
                                      MachineShape{3, 1, 2, 4}, MachineShape{1, 1, 1, 1}}) {
        Machine machine = machine_of(shape);
        for (const char* usable : {"0-63", "0", "1-2", "3-4,9-30"}) {
            machine.usable = machine.all(MachinePart::machine).front() & *read_cpus(usable);
            for (const char* bind : {"auto", "core", "core:2", "numa", "socket:overload", "hwt"})
                for (const char* map :
                     {"slot", "socket", "numa", "core:PE=2", "core:2", "ppr:1:core"})
                    for (const char* by : {"slot", "socket", "hwthread"})
                        for (uint32_t ranks = 1; ranks < 9; ++ranks) {
                            const auto places =
                                bind_ranks(machine, choice_of(bind, map, by), ranks);
                            if (!places) continue;
                            ASSERT_EQ(places->size(), ranks);
                            for (const CpuSet& cpus : *places)
                                ASSERT_TRUE(cpus.is_within(machine.usable)) << bind << map << by;
                            ++checked;
                        }
        }
    }
    EXPECT_GT(checked, 1000u);
}

TEST(DrawBinding, draws_sockets_cores_and_threads) {
    const Machine machine = machine_of({.sockets = 2, .cores = 2, .threads = 2});
    EXPECT_EQ(draw_binding(machine, *read_cpus("0-1")), "[BB/..][../..]");
    EXPECT_EQ(binding_text(3, machine, *read_cpus("5")), "rank 3 is bound to CPU 5 [../..][.B/..]");
    EXPECT_EQ(binding_text(0, machine, {}), "rank 0 is not bound, it may use CPUs 0-7");
}

/// As on processors whose small cores have no L3 cache.
TEST(BindRanks, numbers_what_lies_in_no_such_part_last) {
    Machine machine = machine_of({.sockets = 1, .cores = 4});
    for (const uint32_t cpu : {1u, 3u}) {
        CpuSet cache;
        cache.add(cpu);
        machine.all(MachinePart::l3).push_back(cache);
    }
    EXPECT_EQ(bound(machine, choice_of("core", "slot", "l3"), 4), "1 3 0 2");
    EXPECT_EQ(bound(machine, choice_of("core", "slot", "l3"), 1), "0");
}

}  // namespace
}  // namespace launch
