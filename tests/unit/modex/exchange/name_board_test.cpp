// SPDX-License-Identifier: MIT
#include "modex/exchange/name_board.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

using Range = NameScope::Range;
using Life = NameScope::Life;
using Verb = NameAsk::Verb;

/// Rank 3 on host "h" of job 1 ("one") and so on: who asks.
struct Person {
    SpaceId space = 1;
    uint32_t rank = 3;
    std::string host = "h";
};

/// A board, and what was said there: "who: value" for each answer, in turn.
class Boards {
  public:
    std::string ask(const Person& who, Verb verb, Range range = Range::session,
                    std::string value = {}, Life life = Life::job, bool again = false) {
        NameAsk message{verb, 0, "name", std::move(value), again, {range, life, who.host}};
        message.rank = who.rank;
        const std::string space = who.space == 1 ? "one" : "two";
        return text(board.ask({who.space, std::nullopt, ++ticket}, space, message));
    }
    static std::string text(const RootReplies& replies) {
        std::string all;
        for (const RootReply& reply : replies) {
            all += all.empty() ? "" : ", ";
            all += std::to_string(reply.to.ticket) + (reply.answer.ok ? ": " : ": no ") +
                   reply.answer.value;
        }
        return all;
    }

    NameBoard board;
    uint64_t ticket = 0;
};

TEST(NameBoard, ShowsANameToThoseOfItsRange) {
    const Person publisher;
    const struct {
        const char* who;
        Person asker;
        Range widest;  ///< that he finds
    } rows[] = {
        {"itself", {1, 3, "h"}, Range::process},
        {"a rank of its host", {1, 4, "h"}, Range::host},
        {"a rank of another job there", {2, 3, "h"}, Range::host},
        {"a rank of its job", {1, 3 + 1, "far"}, Range::job},
        {"a rank of another job", {2, 3, "far"}, Range::session},
    };
    for (const auto& row : rows) {
        for (const Range range : {Range::session, Range::job, Range::host, Range::process}) {
            Boards boards;
            boards.ask(publisher, Verb::publish, range, "v");
            const bool same_job = row.asker.space == 1;
            const bool sees = range == Range::job ? same_job : range <= row.widest;
            const std::string wanted = sees ? "2: v" : "2: no not_found";
            EXPECT_EQ(boards.ask(row.asker, Verb::lookup), wanted)
                << row.who << ", range " << static_cast<int>(range);
        }
    }
}

TEST(NameBoard, TellsNamesOfDifferentRangesApart) {
    Boards boards;
    EXPECT_EQ(boards.ask({1}, Verb::publish, Range::session, "all"), "1: ");
    EXPECT_EQ(boards.ask({1}, Verb::publish, Range::job, "ours"), "2: ");
    EXPECT_EQ(boards.ask({2}, Verb::publish, Range::session, "all"), "3: no key_already_present");
    EXPECT_EQ(boards.ask({2}, Verb::publish, Range::job, "theirs"), "4: ");
    EXPECT_EQ(boards.ask({1}, Verb::lookup), "5: ours") << "the narrowest";
    EXPECT_EQ(boards.ask({1}, Verb::lookup, Range::job), "6: ours");
    EXPECT_EQ(boards.ask({1}, Verb::unpublish, Range::job), "7: ");
    EXPECT_EQ(boards.ask({1}, Verb::lookup, Range::job), "8: no not_found");
    EXPECT_EQ(boards.ask({1}, Verb::lookup), "9: all");
}

TEST(NameBoard, WithdrawsAllThatOneRankHasPublished) {
    NameBoard board;
    const auto ask = [&board](SpaceId space, uint32_t rank, Verb verb, const std::string& name) {
        NameAsk message{verb, 1, name, "v"};
        message.rank = rank;
        return board.ask({space, std::nullopt, 1}, "job", message).front().answer.ok;
    };
    for (const char* name : {"pmix:a", "pmix:b", "other"})
        EXPECT_TRUE(ask(1, 0, Verb::publish, name)) << name;
    EXPECT_TRUE(ask(1, 1, Verb::publish, "pmix:c"));
    EXPECT_TRUE(ask(2, 0, Verb::publish, "pmix:d"));
    EXPECT_TRUE(ask(1, 0, Verb::unpublish_all, "pmix:"));
    EXPECT_TRUE(ask(1, 0, Verb::unpublish_all, "pmix:"));
    EXPECT_EQ(board.size(), 3U);
    EXPECT_TRUE(ask(1, 1, Verb::lookup, "pmix:c"));
    EXPECT_TRUE(ask(1, 1, Verb::lookup, "other"));
    EXPECT_FALSE(ask(1, 1, Verb::lookup, "pmix:a"));
}

TEST(NameBoard, AnswersWhoWaitsWhicheverJobPublishes) {
    Boards boards;
    EXPECT_EQ(boards.ask({1}, Verb::await), "");
    EXPECT_EQ(boards.ask({2}, Verb::await), "");
    EXPECT_EQ(boards.ask({1}, Verb::publish, Range::job, "mine"), "3: , 1: mine");
    EXPECT_EQ(boards.ask({2}, Verb::publish_once, Range::session, "v"), "4: , 2: v");
    EXPECT_EQ(boards.ask({1, 3, "far"}, Verb::await, Range::host), "") << "taken, and too far";
    boards.board.lose_child(1, 7);
    EXPECT_EQ(boards.board.waiting(), 1U);
    boards.board.space_gone(1);
    EXPECT_EQ(boards.board.waiting(), 0U);
}

TEST(NameBoard, KeepsANameAsLongAsItIsToLive) {
    for (const Life life : {Life::process, Life::job, Life::session}) {
        Boards boards;
        boards.ask({1, 3}, Verb::publish, Range::session, "v", life);
        boards.board.rank_gone(1, 4);
        boards.board.rank_gone(2, 3);
        EXPECT_EQ(boards.board.size(), 1U) << "another one has exited";
        boards.board.rank_gone(1, 3);
        EXPECT_EQ(boards.board.size(), life > Life::process ? 1U : 0U);
        boards.board.space_gone(2);
        boards.board.space_gone(1);
        EXPECT_EQ(boards.board.size(), life == Life::session ? 1U : 0U);
        const bool stays = life == Life::session;
        EXPECT_EQ(boards.ask({2}, Verb::unpublish), stays ? "2: " : "2: no not_found");
        EXPECT_EQ(boards.board.size(), 0U);
    }
}

TEST(NameBoard, GivesTheFirstReaderANameAgainWhenHisAnswerWasLost) {
    Boards boards;
    boards.ask({1}, Verb::publish_once, Range::session, "v");
    EXPECT_EQ(boards.ask({2}, Verb::lookup), "2: v");
    EXPECT_EQ(boards.ask({2}, Verb::lookup), "3: no not_found");
    EXPECT_EQ(boards.ask({2}, Verb::lookup, Range::session, {}, Life::job, true), "4: v");
    EXPECT_EQ(boards.ask({1}, Verb::publish, Range::session, "w"), "5: ") << "it may be used again";
    EXPECT_EQ(boards.ask({2}, Verb::lookup, Range::session, {}, Life::job, true), "6: w");
}

TEST(NameBoard, KeepsLittleOfWhatWasTaken) {
    Boards boards;
    const std::string large(1u << 20, 'v');
    for (int i = 0; i < 40; ++i) {
        NameAsk message{Verb::publish_once, 0, "name " + std::to_string(i), large};
        boards.board.ask({1, std::nullopt, 1}, "one", message);
        message.verb = Verb::lookup;
        EXPECT_TRUE(boards.board.ask({1, std::nullopt, 2}, "one", message).front().answer.ok);
    }
    EXPECT_LE(boards.board.size() << 20, NameBoard::most_taken_bytes);
}

}  // namespace
}  // namespace launch
