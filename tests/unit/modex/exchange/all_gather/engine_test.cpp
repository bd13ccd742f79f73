// SPDX-License-Identifier: MIT
#include "modex/exchange/all_gather/engine.hpp"

#include <algorithm>
#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <random>

namespace launch {
namespace {

using Message = AllGather::Message;

constexpr GatherWay ways[] = {GatherWay::ring, GatherWay::bruck, GatherWay::doubling};

/// Nodes, and links between them that each keep the order.
class Nodes {
  public:
    Nodes(GatherWay way, const std::vector<std::string>& contributions, uint32_t seed = 1)
        : random_(seed) {
        const auto nodes = static_cast<uint32_t>(contributions.size());
        for (const auto& each : contributions)
            all_ += each;
        for (uint32_t node = 0; node < nodes; ++node)
            nodes_.emplace_back(AllGatherSchedule(way, node, nodes), node, nodes,
                                contributions[node], all_.size());
    }

    void pump(uint32_t node) {
        while (auto message = nodes_[node].next()) {
            ++sent;
            const uint32_t to = message->peer;
            message->peer = node;
            links_[{node, to}].push_back(std::move(*message));
        }
    }
    /// One message of a link that is drawn at random. False: there is none.
    bool deliver() {
        std::erase_if(links_, [](const auto& link) { return link.second.empty(); });
        if (links_.empty()) return false;
        auto at = std::next(links_.begin(), static_cast<std::ptrdiff_t>(random_() % links_.size()));
        const Message message = std::move(at->second.front());
        at->second.pop_front();
        const uint32_t to = at->first.second;
        EXPECT_TRUE(nodes_[to].take(message.peer, message.step, message.pieces));
        pump(to);
        return true;
    }
    /// Nodes begin when they like.
    void run() {
        std::vector<uint32_t> idle(nodes_.size());
        std::iota(idle.begin(), idle.end(), 0U);
        std::shuffle(idle.begin(), idle.end(), random_);
        for (const uint32_t node : idle) {
            pump(node);
            for (auto i = random_() % 4; i > 0; --i)
                deliver();
        }
        while (deliver()) {
        }
        for (AllGather& node : nodes_) {
            EXPECT_TRUE(node.done());
            EXPECT_EQ(node.take_contributions(), all_);
        }
    }
    std::vector<AllGather>& nodes() { return nodes_; }

    uint64_t sent = 0;

  private:
    std::mt19937 random_;
    std::string all_;
    std::vector<AllGather> nodes_;
    std::map<std::pair<uint32_t, uint32_t>, std::deque<Message>> links_;
};

std::string random_bytes(size_t size, std::mt19937& random) {
    std::string bytes(size, '\0');
    for (char& byte : bytes)
        byte = static_cast<char>(random());
    return bytes;
}

TEST(AllGather, all_come_to_all_in_any_order_of_arrival) {
    for (const GatherWay way : ways) {
        for (uint32_t seed = 1; seed <= 40; ++seed) {
            SCOPED_TRACE(seed);
            std::mt19937 random(seed);
            std::vector<std::string> contributions(1 + random() % 24);
            for (auto& each : contributions)
                each = random_bytes(random() % 3 == 0 ? 0 : random() % 300, random);
            Nodes nodes(way, contributions, seed);
            nodes.run();
            if (testing::Test::HasFailure()) return;
        }
    }
}

TEST(AllGather, what_is_small_takes_one_message_a_step) {
    const std::map<GatherWay, uint64_t> steps{
        {GatherWay::ring, 11 * 12}, {GatherWay::bruck, 4 * 12}, {GatherWay::doubling, 3 * 8 + 8}};
    for (const auto& [way, messages] : steps) {
        Nodes nodes(way, std::vector<std::string>(12, "contribution"));
        nodes.run();
        EXPECT_EQ(nodes.sent, messages);
    }
}

TEST(AllGather, what_is_large_goes_in_pieces) {
    std::mt19937 random(5);
    for (const GatherWay way : ways) {
        std::vector<std::string> contributions;
        for (const size_t size : {0U, 1U, 3'000'000U, 700'000U, 0U, 2'000'000U})
            contributions.push_back(random_bytes(size, random));
        Nodes nodes(way, contributions);
        nodes.run();
        EXPECT_GT(nodes.sent, 5 * 5'700'000 / PieceBatch::limit);
        EXPECT_LT(nodes.sent, 5 * 5'700'000 / PieceBatch::limit + 100);
    }
}

TEST(AllGather, what_is_large_is_passed_on_while_it_comes) {
    constexpr uint64_t size = 8 * PieceBatch::limit;
    AllGather first(AllGatherSchedule(GatherWay::ring, 0, 4), 0, 4, std::string(size, 'x'), size);
    AllGather second(AllGatherSchedule(GatherWay::ring, 1, 4), 1, 4, {}, size);
    ASSERT_TRUE(second.next());  // its own
    for (int i = 0; i < 3; ++i) {
        EXPECT_FALSE(second.next());
        const auto message = first.next();
        ASSERT_TRUE(message);
        ASSERT_TRUE(second.take(0, message->step, message->pieces));
        const auto passed = second.next();
        ASSERT_TRUE(passed);
        EXPECT_EQ(passed->peer, 2U);
        EXPECT_EQ(passed->pieces.back().of, 0U);
    }
}

TEST(AllGather, what_is_early_is_kept) {
    AllGather node(AllGatherSchedule(GatherWay::bruck, 0, 4), 0, 4, "0", 4);
    EXPECT_TRUE(node.take(2, 1, {{2, 0, 1, "2"}, {3, 0, 1, "3"}}));
    EXPECT_FALSE(node.done());
    EXPECT_TRUE(node.take(1, 0, {{1, 0, 1, "1"}}));
    EXPECT_TRUE(node.done());
    EXPECT_EQ(node.next()->step, 0U);
    EXPECT_EQ(node.next()->pieces.size(), 2U);
    EXPECT_FALSE(node.next());
    EXPECT_EQ(node.take_contributions(), "0123");
}

TEST(AllGather, what_the_schedule_does_not_say_is_refused) {
    const struct {
        const char* name;
        uint32_t peer;
        uint32_t step;
        std::vector<Piece> pieces;
    } rows[] = {
        {"another peer", 2, 0, {{1, 0, 1, "1"}}},
        {"itself", 0, 0, {{1, 0, 1, "1"}}},
        {"another contribution", 1, 0, {{2, 0, 1, "2"}}},
        {"its own", 1, 0, {{0, 0, 1, "0"}}},
        {"one too many", 1, 0, {{1, 0, 1, "1"}, {2, 0, 1, "2"}}},
        {"no such step", 1, 2, {{1, 0, 1, "1"}}},
        {"a step without end", 1, UINT32_MAX, {{1, 0, 1, "1"}}},
        {"not the first", 2, 1, {{3, 0, 1, "3"}}},
        {"a gap", 1, 0, {{1, 1, 2, "1"}}},
        {"nothing", 1, 0, {}},
        {"nothing of something", 1, 0, {{1, 0, 1, ""}}},
        {"more than all", 1, 0, {{1, 0, 10, "1"}}},
        {"more than all together", 2, 1, {{2, 0, 8, "2"}}},
        {"more than any number", 1, 0, {{1, 0, UINT64_MAX, "1"}}},
        {"another size", 2, 1, {{2, 0, 3, "2"}, {2, 1, 4, "2"}}},
    };
    for (const auto& row : rows) {
        AllGather node(AllGatherSchedule(GatherWay::bruck, 0, 4), 0, 4, "0", 9);
        const bool room = std::string_view(row.name) != "more than all together";
        if (!room) {
            EXPECT_TRUE(node.take(1, 0, {{1, 0, 2, "1"}}));
        }
        EXPECT_FALSE(node.take(row.peer, row.step, row.pieces)) << row.name;
    }
}

TEST(AllGather, nothing_comes_twice) {
    AllGather node(AllGatherSchedule(GatherWay::ring, 0, 3), 0, 3, "0", 9);
    EXPECT_TRUE(node.take(2, 0, {{2, 0, 2, "a"}}));
    EXPECT_FALSE(node.take(2, 0, {{2, 0, 2, "a"}}));
    EXPECT_TRUE(node.take(2, 0, {{2, 1, 2, "b"}}));
    EXPECT_FALSE(node.take(2, 0, {{2, 1, 2, "b"}}));
    EXPECT_TRUE(node.take(2, 1, {{1, 0, 0, ""}}));
    EXPECT_FALSE(node.take(2, 1, {{1, 0, 0, ""}}));
    EXPECT_TRUE(node.done());
}

}  // namespace
}  // namespace launch
