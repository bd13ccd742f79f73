// SPDX-License-Identifier: MIT
#include "core/run/rank_places.hpp"

#include <cerrno>
#include <gtest/gtest.h>

#include "tests/unit/core/bind/machines.hpp"

namespace launch {
namespace {

CpuSet cpus(const char* text) {
    return read_cpus(text).value_or(CpuSet{});
}

TEST(RankPlaces, ACoreIsClaimedByEachOfItsThreads) {
    const Machine machine = machine_of({.sockets = 1, .cores = 3, .threads = 2});
    EXPECT_EQ(to_string(without_cores_of(machine, cpus("2")).usable), "0-1,4-5");
    EXPECT_EQ(to_string(without_cores_of(machine, {}).usable), "0-5");
}

/// Of ranks that find these CPUs claimed on a machine of four cores.
RankPlaces beside(BindChoice bind, uint32_t ranks, const char* claimed, bool report = false) {
    PlaceRequest request;
    request.choice.bind = std::move(bind);
    request.choice.report = report;
    request.runs = {{0, ranks, 1}};
    request.claimed = cpus(claimed);
    return places_on(machine_of({.sockets = 1, .cores = 4}), request);
}

/// "0 1"; "-": not bound.
std::string bound(const RankPlaces& places) {
    std::string text = places.failure;
    for (const RankBinding& rank : places.bound)
        text += (text.empty() ? "" : " ") + (rank.cpus.empty() ? "-" : to_string(rank.cpus));
    return text;
}

TEST(RankPlaces, RanksGetCoresThatNobodyHasWhileThereAreEnough) {
    const BindChoice usual;
    const BindChoice none{.how = BindChoice::How::none};
    const BindChoice core{.how = BindChoice::How::part};
    const BindChoice whole{.how = BindChoice::How::part, .part = MachinePart::socket};
    const BindChoice all{.how = BindChoice::How::part, .part = MachinePart::machine};
    const BindChoice listed{.how = BindChoice::How::listed, .lists = {cpus("1")}};
    struct Row {
        BindChoice bind;
        uint32_t ranks;
        const char* claimed;
        const char* wanted;
        const char* own;            ///< what the next job finds claimed by these
        const char* noted_of = "";  ///< CPUs of others that a note of --report-bindings tells of
    };
    const std::vector<Row> rows = {
        {usual, 2, "", "0 1", "0-1"},
        {usual, 2, "0", "1 2", "1-2"},
        {usual, 2, "1-3", "- -", "", "CPUs 1-3 "},
        {usual, 2, "0-3", "- -", "", "CPUs 0-3 "},
        {usual, 5, "0-3", "- - - - -", ""},
        {usual, 1, "0-3", "-", ""},
        {none, 2, "0-3", "- -", ""},
        {core, 2, "1", "0 2", "0,2"},
        {core, 2, "0-2", "0 1", "0-1"},
        {core, 1, "0-3", "0", "0"},
        {whole, 1, "0", "1-3", "1-3"},
        {whole, 1, "0-3", "0-3", "0-3"},
        {all, 1, "", "0-3", ""},
        {listed, 1, "0-1", "1", "1"},
        {core, 4, "7", "0 1 2 3", "0-3"},
    };
    for (const Row& row : rows) {
        SCOPED_TRACE(std::to_string(row.ranks) + " beside " + row.claimed);
        const RankPlaces unasked = beside(row.bind, row.ranks, row.claimed);
        EXPECT_EQ(unasked.note, "");
        EXPECT_EQ(bound(unasked), row.wanted);
        EXPECT_EQ(to_string(unasked.own), row.own);
        const RankPlaces places = beside(row.bind, row.ranks, row.claimed, true);
        EXPECT_EQ(places.note.empty(), std::string_view(row.noted_of).empty()) << places.note;
        EXPECT_NE(places.note.find(row.noted_of), std::string::npos) << places.note;
    }
}

TEST(RankPlaces, MachineThatIsNotKnownIsToldWhereSomethingWasAsked) {
    const MachineReader broken = [](bool) { return Result<Machine>(os_error("read it", EIO)); };
    PlaceRequest request;
    request.runs = {{0, 2, 1}};
    const RankPlaces unasked = find_rank_places(request, broken);
    EXPECT_EQ(unasked.note + unasked.failure, "");
    request.choice.report = true;
    EXPECT_EQ(find_rank_places(request, broken).failure, "Input/output error");
    request.choice = {};
    request.choice.bind = {.how = BindChoice::How::part};
    EXPECT_EQ(find_rank_places(request, broken).failure, "Input/output error");
}

TEST(RankPlaces, WhatOthersHaveIsDrawnWithTheBindings) {
    const BindChoice core{.how = BindChoice::How::part};
    EXPECT_EQ(beside(core, 1, "0-1,9", true).drawn,
              (std::vector<std::string>{"ranks of other jobs are bound to CPUs 0-1",
                                        "rank 0 is bound to CPU 2 [././B/.]"}));
    EXPECT_EQ(beside(core, 1, "9", true).drawn,
              std::vector<std::string>{"rank 0 is bound to CPU 0 [B/././.]"});
    EXPECT_TRUE(beside(core, 1, "0", false).drawn.empty());
}

}  // namespace
}  // namespace launch
