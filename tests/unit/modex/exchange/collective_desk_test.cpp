// SPDX-License-Identifier: MIT
#include "modex/exchange/collective_desk.hpp"

#include <gtest/gtest.h>
#include <set>

namespace launch {
namespace {

using Kind = Collective::Kind;

/// Jobs "a" of two ranks and "b" of three.
class TwoJobs : public SpaceBook {
  public:
    TwoJobs() {
        a_.space = "a";
        a_.ranks = 2;
        b_.space = "b";
        b_.ranks = 3;
    }
    const SpaceFacts* facts(const std::string& space) const override {
        if (space == "a") return &a_;
        return space == "b" && !b_is_over ? &b_ : nullptr;
    }
    bool is_gone(const std::string& space, uint32_t rank) const override {
        return gone.contains({space, rank});
    }

    bool b_is_over = false;
    std::set<std::pair<std::string, uint32_t>> gone;

  private:
    SpaceFacts a_;
    SpaceFacts b_;
};

Collective of_all(Kind kind = Kind::connect) {
    return {kind, {}, {{"a", true, {}}, {"b", true, {}}}};
}

/// A node of job 1 ("a") or 2 ("b") asks.
NameAsk brings(const Collective& what, SpaceMemberList present, std::string data = {},
               bool context = false, bool again = false, uint64_t round = 0) {
    CollectivePart part{std::move(present), round, context, std::move(data)};
    return {NameAsk::Verb::collective, 0, what.encode(), part.encode(), again};
}

RootAsker node(SpaceId space, uint64_t ticket) {
    return {space, static_cast<NodeIndex>(ticket), ticket};
}

/// "TICKET: what", of each.
std::string outcome(const RootReplies& replies) {
    std::string all;
    for (const RootReply& reply : replies) {
        all += all.empty() ? "" : ", ";
        all += std::to_string(reply.to.ticket) + ": ";
        const auto result = CollectiveResult::decode(reply.answer.value);
        if (!reply.answer.ok) all += reply.answer.value;
        if (!reply.answer.ok || !result) continue;
        all += "number " + std::to_string(result->context);
        for (const SpaceFacts& facts : result->spaces)
            all += " " + facts.space;
        for (const std::string& data : result->data)
            all += " [" + data + "]";
    }
    return all;
}

const SpaceMemberList all_of_a{{"a", false, {0, 1}}};
const SpaceMemberList all_of_b{{"b", false, {0, 1, 2}}};

TEST(CollectiveDesk, LetsAllGoOnWhenAllMembersHaveCome) {
    TwoJobs jobs;
    CollectiveDesk desk(jobs);
    EXPECT_EQ(outcome(desk.join(node(1, 1), brings(of_all(), all_of_a))), "");
    EXPECT_EQ(outcome(desk.join(node(2, 2), brings(of_all(), {{"b", false, {0, 2}}}))), "");
    EXPECT_EQ(outcome(desk.join(node(2, 3), brings(of_all(), {{"b", false, {1}}}))),
              "1: number 0 a b, 2: number 0 a b, 3: number 0 a b");
    EXPECT_EQ(desk.open(), 0U);
}

TEST(CollectiveDesk, TakesAllRanksForTheJobHoweverTheyAreNamed) {
    TwoJobs jobs;
    CollectiveDesk desk(jobs);
    const Collective one_by_one{Kind::connect, {}, {{"a", false, {0, 1}}, {"b", true, {}}}};
    desk.join(node(1, 1), brings(one_by_one, all_of_a));
    EXPECT_EQ(outcome(desk.join(node(2, 2), brings(of_all(), all_of_b))),
              "1: number 0 a b, 2: number 0 a b");
}

TEST(CollectiveDesk, NumbersGroupsAndHandsOutWhatTheirNodesBring) {
    TwoJobs jobs;
    CollectiveDesk desk(jobs);
    for (const char* number : {"1", "2"}) {
        const Collective group{Kind::group, std::string("g") + number, {{"b", false, {0, 2}}}};
        desk.join(node(2, 1), brings(group, {{"b", false, {0}}}, "x", true));
        const std::string told = std::string("number ") + number + " [x] [y]";
        EXPECT_EQ(outcome(desk.join(node(2, 2), brings(group, {{"b", false, {2}}}, "y", true))),
                  "1: " + told + ", 2: " + told);
    }
    const Collective fence{Kind::fence, {}, {{"a", true, {}}, {"b", true, {}}}};
    desk.join(node(1, 1), brings(fence, all_of_a, "from a"));
    EXPECT_EQ(outcome(desk.join(node(2, 2), brings(fence, all_of_b))),
              "1: number 0 [from a], 2: number 0 [from a]");
}

TEST(CollectiveDesk, EndsWhenAMemberCanComeNoMore) {
    const struct {
        const char* name;
        std::function<RootReplies(CollectiveDesk&, TwoJobs&)> happens;
        std::string told;
    } rows[] = {
        {"a rank exits", [](auto& desk, auto&) { return desk.rank_gone("b", 1); },
         "1: member_gone"},
        {"one exits that has come", [](auto& desk, auto&) { return desk.rank_gone("a", 1); }, ""},
        {"its job ends", [](auto& desk, auto&) { return desk.space_gone(2, "b"); },
         "1: member_gone"},
        {"the job of who waits ends", [](auto& desk, auto&) { return desk.space_gone(1, "a"); },
         ""},
        {"another comes and knows of one that exited before",
         [](auto& desk, auto& jobs) {
             jobs.gone.emplace("b", 1);
             return desk.join(node(2, 2), brings(of_all(), {{"b", false, {0, 2}}}));
         },
         "1: member_gone, 2: member_gone"},
        {"one has exited since it came",
         [](auto& desk, auto& jobs) {
             jobs.gone.emplace("b", 1);
             return desk.join(node(2, 2), brings(of_all(), all_of_b));
         },
         "1: member_gone, 2: member_gone"},
        {"who waits gives up", [](auto& desk, auto&) { return desk.give_up(node(1, 1)); },
         "1: timeout"},
        {"who does not wait gives up", [](auto& desk, auto&) { return desk.give_up(node(1, 2)); },
         ""},
    };
    for (const auto& row : rows) {
        TwoJobs jobs;
        CollectiveDesk desk(jobs);
        desk.join(node(1, 1), brings(of_all(), all_of_a));
        EXPECT_EQ(outcome(row.happens(desk, jobs)), row.told) << row.name;
    }
}

TEST(CollectiveDesk, RefusesWhatCannotBe) {
    TwoJobs jobs;
    jobs.b_is_over = true;
    CollectiveDesk desk(jobs);
    EXPECT_EQ(outcome(desk.join(node(1, 1), brings(of_all(), all_of_a))), "1: no_such_job");
    const Collective strange{Kind::connect, {}, {{"a", false, {0, 7}}}};
    EXPECT_EQ(outcome(desk.join(node(1, 1), brings(strange, all_of_a))), "1: no_such_job");
    EXPECT_EQ(outcome(desk.join(node(1, 1), brings({}, {}))), "1: no_such_job");
    EXPECT_EQ(outcome(desk.join(node(1, 1), {NameAsk::Verb::collective, 0, "x", "y"})),
              "1: malformed");
    const Collective fence{Kind::fence, {}, {{"a", true, {}}}};
    const std::string large(CollectiveDesk::most_data + 1, 'x');
    EXPECT_EQ(outcome(desk.join(node(1, 1), brings(fence, {{"a", false, {0}}}, large))),
              "1: too_large");
    EXPECT_EQ(desk.open(), 0U);
}

TEST(CollectiveDesk, TellsWhoAsksAgainFromWhoWantsItOnceMore) {
    TwoJobs jobs;
    CollectiveDesk desk(jobs);
    desk.join(node(1, 1), brings(of_all(), all_of_a));
    desk.join(node(2, 2), brings(of_all(), all_of_b));
    // Its answer was lost.
    EXPECT_EQ(outcome(desk.join(node(1, 3), brings(of_all(), all_of_a, {}, false, true, 0))),
              "3: number 0 a b");
    // It has had that answer, and what it asked next was lost.
    EXPECT_EQ(outcome(desk.join(node(1, 4), brings(of_all(), all_of_a, {}, false, true, 1))), "");
    EXPECT_EQ(outcome(desk.join(node(2, 5), brings(of_all(), all_of_b, {}, false, false, 1))),
              "4: number 0 a b, 5: number 0 a b");
}

TEST(CollectiveDesk, CountsWhatIsBroughtAgainOnce) {
    TwoJobs jobs;
    CollectiveDesk desk(jobs);
    const Collective fence = of_all(Kind::fence);
    desk.join(node(1, 1), brings(fence, all_of_a, "x"));
    desk.lose_child(1, 1);
    desk.join(node(1, 3), brings(fence, all_of_a, "x", false, true));
    EXPECT_EQ(outcome(desk.join(node(2, 2), brings(fence, all_of_b))),
              "3: number 0 [x], 2: number 0 [x]");
}

TEST(Collective, ReadsWhatItWrites) {
    const Collective one{Kind::group, "g", {{"a", false, {1, 5, 9}}, {"b", true, {}}}};
    EXPECT_EQ(Collective::decode(one.encode()), one);
    const auto part = CollectivePart::decode(CollectivePart{one.members, 7, true, "d"}.encode());
    ASSERT_TRUE(part);
    EXPECT_EQ(part->present, one.members);
    EXPECT_EQ(part->round, 7U);
    EXPECT_TRUE(part->wants_context);
    EXPECT_EQ(part->data, "d");
    CollectiveResult result{3, {}, {"x", "y"}};
    result.spaces.push_back({"a", 2, 4, 1, "map", {{2, {"app", "1"}, "/tmp"}}});
    const auto again = CollectiveResult::decode(result.encode());
    ASSERT_TRUE(again);
    EXPECT_EQ(again->encode(), result.encode());
    EXPECT_EQ(again->spaces.front().programs.front().argv.back(), "1");
    for (const std::string& whole : {one.encode(), result.encode()}) {
        EXPECT_FALSE(Collective::decode(whole + "x"));
        for (size_t size = 0; size < whole.size(); ++size)
            EXPECT_FALSE(CollectiveResult::decode(whole.substr(0, size)) &&
                         Collective::decode(whole.substr(0, size)));
    }
    const Collective twice{Kind::group, "g", {{"a", true, {}}, {"a", true, {}}}};
    EXPECT_FALSE(Collective::decode(twice.encode()));
}

}  // namespace
}  // namespace launch
