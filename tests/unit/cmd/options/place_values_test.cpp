// SPDX-License-Identifier: MIT
#include "cmd/options/place_values.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(PlaceValues, are_written_as_they_are_read_in_the_words_of_any_launcher) {
    struct {
        const char* text;
        const char* written;
    } const binds[] = {
        {"auto", "auto"},
        {"none", "none"},
        {"core", "core"},
        {"core:2", "core:2"},
        {"core:overload-allowed", "core:overload"},
        {"numa:if-supported", "numa"},
        {"hwt", "hwthread"},
        {"rr", "hwthread"},
        {"l3cache", "l3"},
        {"L1cache", "l1"},
        {"l1dcache", "l1"},
        {"l1ucache:2", "l1:2"},
        {"l2dcache", "l2"},
        {"L2UCACHE", "l2"},
        {"l3dcache", "l3"},
        {"l3ucache", "l3"},
        {"Core:Overload-Allowed", "core:overload"},
        {"NONE", "none"},
        {"package", "socket"},
        {"numanode", "numa"},
        {"board", "cpuset"},
        {"cpuset", "cpuset"},
        {"user:0,1", "user:0,1"},
        {"user:0-3,6+4", "user:0-3,4+6"},
    };
    for (const auto& row : binds) {
        BindChoice bind;
        BindChoice again;
        EXPECT_EQ(read_bind(row.text, bind), "") << row.text;
        EXPECT_EQ(write_bind(bind), row.written);
        EXPECT_EQ(read_bind(row.written, again), "") << row.text;
        EXPECT_EQ(again, bind) << row.text;
    }
    struct {
        const char* text;
        const char* written;
    } const maps[] = {
        {"slot", "block"},
        {"node", "cyclic"},
        {"core", "core"},
        {"socket:span", "socket:span"},
        {"socket:PE=2", "socket:PE=2"},
        {"slot:PE=2,oversubscribe", "block:PE=2"},
        {"ppr:2:socket", "ppr:2:socket"},
        {"ppr:2:package:PE=3", "ppr:2:socket:PE=3"},
        {"ppr:4:node", "ppr:4:node"},
        {"PE=2", "block:PE=2"},
        {"pe=2:SPAN", "cyclic:PE=2"},
        {"L1cache", "l1"},
        {"L2cache:SPAN", "l2:span"},
        {"l3ucache", "l3"},
        {"Node", "cyclic"},
        {"PPR:2:L3cache", "ppr:2:l3"},
        {"socket:2", "socket:2"},
        {"l3dcache:4:span,PE=2", "l3:4:span:PE=2"},
        {"core:NOOVERSUBSCRIBE", "core:nooversubscribe"},
        {"slot:nooversubscribe", "block:nooversubscribe"},
        {"slot:nooversubscribe:OVERSUBSCRIBE", "block"},
        {"board", "block"},
    };
    for (const auto& row : maps) {
        MapBy map;
        MapBy again;
        EXPECT_EQ(read_map_by(row.text, map), "") << row.text;
        EXPECT_EQ(write_map_by(map), row.written);
        EXPECT_EQ(read_map_by(row.written, again), "") << row.text;
        EXPECT_EQ(again, map) << row.text;
    }
    for (const char* text : {"L2cache", "l2ucache", "L2"}) {
        MachinePart part{};
        EXPECT_EQ(read_rank_by(text, part), "") << text;
        EXPECT_EQ(write_rank_by(part), "l2") << text;
    }
}

TEST(PlaceValues, say_what_is_wrong_with_others) {
    BindChoice bind;
    for (const char* text :
         {"", "cores", "core:0", "core:x", "core:", "user:", "user:a", "user:0,"})
        EXPECT_NE(read_bind(text, bind), "") << text;
    MapBy map;
    for (const char* text :
         {"", "cores", "core:PE=", "core:PE=0", "ppr", "ppr:2", "ppr:0:socket", "ppr:2:thing",
          "slot:strange", "slot:2", "node:2", "board:2", "socket:0", "ppr:2:socket:2"})
        EXPECT_NE(read_map_by(text, map), "") << text;
    MachinePart part{};
    for (const char* text : {"cores", "core:strange"})
        EXPECT_NE(read_rank_by(text, part), "") << text;
}

/// What other launchers' words have no like here for is told with what to use.
TEST(PlaceValues, have_advice_for_words_of_other_launchers) {
    const auto bind_by = [](const char* text) {
        BindChoice bind;
        return read_bind(text, bind);
    };
    const auto map_by = [](const char* text) {
        MapBy map;
        return read_map_by(text, map);
    };
    const auto rank_by = [](const char* text) {
        MachinePart part{};
        return read_rank_by(text, part);
    };
    struct {
        std::string told;
        const char* advice;
    } const rows[] = {
        {bind_by("slot"), "use core, hwthread or socket"},
        {bind_by("cpu-list"), "use user:LIST"},
        {bind_by("cpu-list:ordered"), "use user:LIST"},
        {bind_by("pci:0000:41:00.0"), "--gpus-per-rank N"},
        {bind_by("gpu"), "--gpus-per-rank N"},
        {bind_by("gpu:2"), "--gpus-per-rank N"},
        {bind_by("gpu0"), "--gpus-per-rank N"},
        {bind_by("ib0"), "lstopo(1)"},
        {bind_by("hfi"), "lstopo(1)"},
        {bind_by("eth1"), "lstopo(1)"},
        {bind_by("enp3s0"), "lstopo(1)"},
        {bind_by("l1icache"), "use l1, l2 or l3"},
        {bind_by("l4dcache"), "use l3, numa or socket"},
        {bind_by("core:hwtcpus"), "use --bind hwthread"},
        {map_by("seq"), "in the order of -hosts or -f"},
        {map_by("sequential"), "in the order of -hosts or -f"},
        {map_by("dist:mlx5_0"), "use numa"},
        {map_by("DISTANCE"), "use numa"},
        {map_by("rankfile:FILE=/tmp/ranks"), "--bind user:LIST"},
        {map_by("pe-list=0,1:ordered"), "use --bind user:LIST"},
        {map_by("gpu"), "--gpus-per-rank N"},
        {map_by("pci:41:00.0"), "--gpus-per-rank N"},
        {map_by("ppr:2:device=gpu"), "--gpus-per-rank N"},
        {map_by("die"), "use l3, numa or socket"},
        {map_by("core:HWTCPUS"), "use --bind hwthread"},
        {map_by("core:nolocal"), "the hosts that are named"},
        {rank_by("node"), "by -map-by node"},
        {rank_by("span"), "by -map-by node"},
        {rank_by("socket:SPAN"), "by -map-by node"},
        {rank_by("socket:fill"), "use --rank-by slot"},
    };
    for (const auto& row : rows)
        EXPECT_NE(row.told.find(row.advice), std::string::npos) << row.advice << ": " << row.told;
}

}  // namespace
}  // namespace launch
