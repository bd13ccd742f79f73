// SPDX-License-Identifier: MIT
#include "modex/exchange/gather_round.hpp"

#include <gtest/gtest.h>

#include "tests/unit/modex/exchange/kept.hpp"

namespace launch {
namespace {

constexpr uint64_t much = 1u << 20;

template <class T>
T last(const std::vector<ExchangeMessage>& messages) {
    return messages.empty() ? T{} : std::get<T>(messages.back());
}

std::string up(uint64_t sequence, uint32_t peers, bool complete = false, bool lost = false) {
    const BlobsUp load{true, complete, complete ? 0 : much, peers, lost, {}};
    return encode(FenceUp{{}, sequence - 1, 2, 0, 0, load});
}

BlobsUp blobs_of(const ExchangeMessage& message) {
    return std::get<BlobsUp>(std::get<FenceUp>(message).load);
}

/// A node without children, of three: 0 is the root, and the node before it in a ring.
class GatherLeaf : public testing::Test {
  protected:
    void join() { exchange.join_all("one", true); }
    bool order(GatherWay way, uint64_t sequence = 1, uint32_t attempt = 1, bool lost = false) {
        return exchange.from_parent(encode(GatherOrder{sequence, attempt, way, 3, much, lost}));
    }
    bool from_peer(uint32_t number, PeerPieces message) {
        return exchange.from_peer(number, encode(message));
    }
    bool ring_ends() {
        return from_peer(0, {1, 1, 0, {{0, 0, 4, "zero"}}}) &&
               from_peer(0, {1, 1, 1, {{2, 0, 3, "two"}}});
    }

    Kept kept;
    Exchange exchange{{3, {1}, false}, ModexChoice::ring, kept};
};

TEST_F(GatherLeaf, withholds_what_it_contributes_once_it_has_peers) {
    join();
    const auto first = blobs_of(kept.up.back());
    EXPECT_TRUE(first.complete);
    EXPECT_EQ(first.peers, 0U);
    EXPECT_EQ(first.pieces.size(), 1U);
    exchange.open_peers(1, 3);
    EXPECT_TRUE(exchange.from_parent(encode(FenceDown{{}, 1, BlobsDown{}})));
    join();
    const auto second = blobs_of(kept.up.back());
    EXPECT_FALSE(second.complete);
    EXPECT_EQ(second.bytes, 3U);
    EXPECT_EQ(second.peers, 1U);
    EXPECT_TRUE(second.pieces.empty());
}

TEST_F(GatherLeaf, takes_what_peers_say_early_where_all_ranks_have_exited_too) {
    exchange.open_peers(1, 3);
    EXPECT_FALSE(from_peer(0, {1, 1, 0, {{0, 0, 4, "zero"}}})) << "its rank may still come";
    exchange.exited(1);
    EXPECT_TRUE(ring_ends());
    EXPECT_TRUE(order(GatherWay::ring));
    EXPECT_TRUE(last<GatherReport>(kept.up).done);
}

TEST_F(GatherLeaf, may_contribute_though_the_root_took_it_for_gone) {
    exchange.open_peers(1, 3);
    join();
    EXPECT_TRUE(exchange.from_parent(encode(GatherOrder{1, 1, GatherWay::ring, 3, 7, false})));
    EXPECT_TRUE(ring_ends());
    EXPECT_EQ(kept.all, "zeroonetwo");
}

TEST_F(GatherLeaf, does_as_ordered_and_reports) {
    exchange.open_peers(1, 3);
    join();
    EXPECT_TRUE(order(GatherWay::ring));
    ASSERT_EQ(kept.peers.size(), 1U);
    EXPECT_EQ(kept.peers[0].first, 2U);
    EXPECT_FALSE(exchange.join_all("again", true)) << "it is not through";
    EXPECT_TRUE(ring_ends());
    EXPECT_EQ(kept.all, "zeroonetwo");
    EXPECT_EQ(kept.fences, 1U);
    EXPECT_TRUE(last<GatherReport>(kept.up).done);
    EXPECT_FALSE(ring_ends()) << "a second time";
}

TEST_F(GatherLeaf, keeps_what_peers_say_before_it_hears_the_order) {
    exchange.open_peers(1, 3);
    EXPECT_FALSE(from_peer(0, {1, 1, 0, {{0, 0, 4, "zero"}}})) << "it has not joined";
    join();
    EXPECT_TRUE(ring_ends());
    EXPECT_EQ(kept.fences, 0U);
    EXPECT_TRUE(order(GatherWay::ring));
    EXPECT_EQ(kept.all, "zeroonetwo");
}

TEST_F(GatherLeaf, takes_from_peers_only_what_they_may_send) {
    const PeerPieces good{1, 1, 0, {{0, 0, 4, "zero"}}};
    EXPECT_FALSE(from_peer(0, good)) << "no peers are open";
    exchange.open_peers(1, 3);
    join();
    EXPECT_FALSE(from_peer(1, good)) << "itself";
    EXPECT_FALSE(from_peer(3, good)) << "nobody";
    EXPECT_FALSE(from_peer(0, {2, 1, 0, {{0, 0, 4, "zero"}}})) << "the fence after the next";
    EXPECT_FALSE(from_peer(0, {1, 2, 0, {{0, 0, 4, "zero"}}})) << "a second attempt, by the tree";
    EXPECT_FALSE(exchange.from_peer(0, "rubbish"));
    EXPECT_FALSE(exchange.from_peer(0, encode(GatherReport{1, 1, true}))) << "what neighbours say";
    EXPECT_FALSE(exchange.from_parent(encode(good))) << "what peers say";
    EXPECT_TRUE(order(GatherWay::ring));
    EXPECT_FALSE(from_peer(2, good)) << "another peer";
    EXPECT_TRUE(from_peer(0, good));
    EXPECT_TRUE(from_peer(0, {0, 1, 0, {{0, 0, 4, "zero"}}})) << "long over";
}

TEST_F(GatherLeaf, that_cannot_do_as_ordered_says_so_and_does_it_by_the_tree) {
    exchange.open_peers(1, 3);
    join();
    exchange.peer_lost(2);
    EXPECT_TRUE(order(GatherWay::ring));
    EXPECT_FALSE(last<GatherReport>(kept.up).done);
    EXPECT_TRUE(kept.peers.empty());
    EXPECT_TRUE(ring_ends()) << "those who do not know yet";
    EXPECT_EQ(kept.fences, 0U);
    EXPECT_TRUE(order(GatherWay::tree, 1, 2, true));
    EXPECT_TRUE(last<GatherPieces>(kept.up).last);
    EXPECT_TRUE(exchange.from_parent(
        encode(GatherPieces{1, 2, true, {{0, 0, 4, "zero"}, {2, 0, 3, "two"}}})));
    EXPECT_EQ(kept.all, "zeroonetwo");
    join();
    EXPECT_TRUE(blobs_of(kept.up.back()).complete) << "nobody will have peers";
    EXPECT_TRUE(blobs_of(kept.up.back()).peers_lost);
}

TEST_F(GatherLeaf, that_is_through_says_again_what_others_miss) {
    exchange.open_peers(1, 3);
    join();
    order(GatherWay::ring);
    ring_ends();
    join();  // the next one
    EXPECT_TRUE(order(GatherWay::tree, 1, 2, true));
    const auto& said = std::get<GatherPieces>(kept.up.end()[-2]);
    ASSERT_EQ(said.pieces.size(), 1U);
    EXPECT_EQ(said.pieces[0].bytes, "one");
    EXPECT_TRUE(exchange.from_parent(encode(GatherPieces{1, 2, true, {{0, 0, 4, "zero"}}})));
    EXPECT_EQ(kept.fences, 1U) << "it had that";
}

TEST_F(GatherLeaf, gives_up_peers_that_say_too_much_before_the_order) {
    exchange.open_peers(1, 3);
    join();
    const std::string part(32u << 20, 'x');
    for (uint64_t at = 0; at <= max_cards_bytes; at += part.size())
        EXPECT_TRUE(from_peer(0, {1, 1, 0, {{0, at, 1u << 30, part}}}));
    EXPECT_TRUE(order(GatherWay::ring));
    EXPECT_FALSE(last<GatherReport>(kept.up).done);
}

/// With two children; all three have peers.
class GatherRoot : public testing::Test {
  protected:
    GatherRoot() {
        exchange.add_child(1, {{{1, 1, 1}}});
        exchange.add_child(2, {{{2, 1, 1}}});
        exchange.open_peers(0, 3);
    }
    void all_join(uint64_t sequence, bool lost = false) {
        exchange.join_all("zero", true);
        EXPECT_TRUE(exchange.from_child(1, up(sequence, 1)));
        EXPECT_TRUE(exchange.from_child(2, up(sequence, lost ? 0 : 1, false, lost)));
    }
    GatherOrder ordered() const {
        return kept.down.empty() ? GatherOrder{} : std::get<GatherOrder>(kept.down.back().second);
    }
    bool report(NodeIndex child, bool done) {
        return exchange.from_child(child, encode(GatherReport{1, 1, done}));
    }
    void ring_ends() {
        const PeerPieces two{1, 1, 0, {{2, 0, 3, "two"}}};
        const PeerPieces one{1, 1, 1, {{1, 0, 3, "one"}}};
        EXPECT_TRUE(exchange.from_peer(2, encode(two)));
        EXPECT_TRUE(exchange.from_peer(2, encode(one)));
    }

    Kept kept;
    Exchange exchange{{3, {0}, true}, ModexChoice::ring, kept};
};

TEST_F(GatherRoot, orders_peers_where_all_have_them) {
    all_join(1);
    EXPECT_EQ(ordered().way, GatherWay::ring);
    EXPECT_EQ(ordered().nodes, 3U);
    EXPECT_EQ(ordered().bytes, 2 * much + 4);
    EXPECT_EQ(kept.down.size(), 2U);
    ring_ends();
    EXPECT_EQ(kept.all, "zeroonetwo");
}

class GatherRootAlone : public testing::Test {
  protected:
    GatherRootAlone() {
        exchange.add_child(1, {{{1, 1, 1}}});
        join();
    }
    void join() {
        exchange.join_all("zero", true);
        const BlobsUp load{true, true, 3, 0, false, {{1, 0, 3, "one"}}};
        EXPECT_TRUE(exchange.from_child(1, encode(FenceUp{{}, fences++, 1, 0, 0, load})));
    }

    Kept kept;
    uint64_t fences = 0;
    Exchange exchange{{2, {0}, true, false, true}, ModexChoice::bruck, kept};
};

TEST_F(GatherRootAlone, asks_for_peers_and_waits_until_they_are_there) {
    EXPECT_EQ(kept.wanted, 1U);
    EXPECT_TRUE(kept.down.empty());
    exchange.open_peers(0, 2);
    ASSERT_EQ(kept.down.size(), 1U);
    EXPECT_EQ(std::get<GatherOrder>(kept.down[0].second).way, GatherWay::bruck);
}

TEST_F(GatherRootAlone, does_without_where_there_are_none_to_be_had) {
    exchange.no_peers();
    EXPECT_EQ(kept.all, "zeroone");
    join();
    EXPECT_EQ(kept.fences, 2U);
    EXPECT_EQ(kept.wanted, 1U);
}

TEST_F(GatherRoot, orders_the_tree_where_some_have_none) {
    exchange.join_all("zero", true);
    EXPECT_TRUE(exchange.from_child(1, up(1, 1)));
    EXPECT_TRUE(exchange.from_child(2, up(1, 0)));
    EXPECT_EQ(ordered().way, GatherWay::tree);
    EXPECT_FALSE(ordered().peers_lost) << "they may have them later";
}

TEST_F(GatherRoot, tells_all_when_some_have_lost_theirs) {
    all_join(1, true);
    EXPECT_EQ(ordered().way, GatherWay::tree);
    EXPECT_TRUE(ordered().peers_lost);
}

TEST_F(GatherRoot, orders_the_tree_when_one_fails) {
    all_join(1);
    ring_ends();
    EXPECT_TRUE(report(1, true));
    EXPECT_TRUE(report(2, false));
    EXPECT_EQ(ordered().way, GatherWay::tree);
    EXPECT_EQ(ordered().attempt, 2U);
    EXPECT_TRUE(ordered().peers_lost);
    EXPECT_TRUE(report(1, true)) << "of an attempt that is over";
    EXPECT_EQ(kept.down.size(), 4U);
}

TEST_F(GatherRoot, does_not_care_who_is_lost_when_all_are_through) {
    all_join(1);
    ring_ends();
    EXPECT_TRUE(report(1, true));
    EXPECT_TRUE(report(2, true));
    EXPECT_TRUE(report(2, false));
    exchange.peer_lost(1);
    EXPECT_EQ(kept.down.size(), 2U);
}

TEST_F(GatherRoot, refuses_answers_to_what_it_has_not_ordered) {
    EXPECT_FALSE(report(1, true));
    all_join(1);
    EXPECT_FALSE(exchange.from_child(1, encode(GatherPieces{1, 1, true, {}})));
    EXPECT_FALSE(exchange.from_child(1, encode(GatherReport{1, 2, true})));
    EXPECT_FALSE(exchange.from_child(1, encode(GatherReport{2, 1, true})));
    EXPECT_FALSE(exchange.from_child(1, encode(GatherOrder{1, 2, GatherWay::tree, 3, 1, false})));
}

}  // namespace
}  // namespace launch
