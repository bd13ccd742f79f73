// SPDX-License-Identifier: MIT
#include "modex/server/pmix_clients.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace launch {
namespace {

using State = PmixClients::State;

/// What happens to rank 0, a letter each: expect, join, finalize, end.
bool happen(PmixClients& clients, const std::string& events) {
    bool unfinished = false;
    for (const char event : events) {
        switch (event) {
            case 'x': clients.expect(0); break;
            case 'j': clients.join(0); break;
            case 'f': clients.finalize(0); break;
            case 'e': unfinished = clients.end(0); break;
        }
    }
    return unfinished;
}

TEST(PmixClients, EachEventHasItsState) {
    struct Row {
        const char* events;
        State state;
        bool spoke;
        bool unfinished;  ///< says its end
    };
    const std::vector<Row> rows = {
        {"", State::absent, false, false},      {"e", State::absent, false, false},
        {"x", State::expected, false, false},   {"xe", State::absent, false, false},
        {"xj", State::joined, true, false},     {"xje", State::vanished, true, true},
        {"xjf", State::finalized, true, false}, {"xjfe", State::finalized, true, false},
        {"xjfj", State::joined, true, false},   {"xjfje", State::vanished, true, true},
        {"xjef", State::finalized, true, true}, {"xjej", State::joined, true, true}};
    for (const Row& row : rows) {
        PmixClients clients;
        EXPECT_EQ(happen(clients, row.events), row.unfinished) << row.events;
        EXPECT_EQ(clients.state(0), row.state) << row.events;
        EXPECT_EQ(clients.spoke(0), row.spoke) << row.events;
        EXPECT_EQ(clients.in(State::finalized).contains(0), row.state == State::finalized)
            << row.events;
    }
}

TEST(PmixClients, a_second_process_may_join_only_after_the_first_has_finalized) {
    struct Row {
        const char* before;
        bool may_join;
    };
    const std::vector<Row> rows = {{"x", true},     {"xj", false},  {"xjf", true},
                                   {"xjfj", false}, {"xjj", false}, {"xjjf", true}};
    for (const Row& row : rows) {
        PmixClients clients;
        happen(clients, row.before);
        EXPECT_EQ(clients.join(0), row.may_join) << row.before;
        EXPECT_EQ(clients.state(0), State::joined) << row.before;
    }
}

/// Ranks 0 and 1, of which 0 ends last; "j1": rank 1 joins, "F": they enter a fence.
bool taken_out(const std::vector<std::string>& events) {
    PmixClients clients;
    for (const auto& event : events) {
        if (event == "F") {
            clients.fence();
            continue;
        }
        const uint32_t rank = event[1] == '0' ? 0 : 1;
        if (event[0] == 'x') clients.expect(rank);
        if (event[0] == 'j') clients.join(rank);
        if (event[0] == 'f') clients.finalize(rank);
        if (event[0] == 'e') clients.end(rank);
    }
    return clients.can_be_taken_out(0);
}

TEST(PmixClients, OneIsTakenOutOnlyWhereItsNumberCanBeNobodyElses) {
    struct Row {
        const char* name;
        std::vector<std::string> events;
        bool taken_out;
    };
    const std::vector<Row> rows = {
        {"it joined last", {"x0", "x1", "j1", "j0", "e0"}, true},
        {"another has joined since", {"x0", "x1", "j0", "j1", "e0"}, false},
        {"a fence says that it was still there", {"x0", "x1", "j0", "j1", "F", "e0"}, true},
        {"so does its finalize", {"x0", "x1", "j0", "j1", "f0", "e0"}, true},
        {"it never joined", {"x0", "x1", "j1", "e0"}, true},
        {"it never joined, and the other is to come", {"x0", "x1", "e0"}, true},
        {"another is to come", {"x0", "x1", "j0", "e0"}, false},
        {"there is no other to wait for it", {"x0", "j0", "e0"}, false},
        {"the other has finalized", {"x0", "x1", "j0", "j1", "F", "f1", "e0"}, false}};
    for (const Row& row : rows)
        EXPECT_EQ(taken_out(row.events), row.taken_out) << row.name;
}

}  // namespace
}  // namespace launch
