#include "transports/direct/link_keys.hpp"

#include <gtest/gtest.h>

#include "tests/unit/transports/direct/family.hpp"

namespace launch {
namespace {

//  0 - 1 - 2 - 3
//    |   + 5
//    + 10 - 11
const DirectLinkSettings head = head_of_job();
const DirectLinkSettings one = child_of(head, {1, 9});
const DirectLinkSettings two = child_of(one, {2, 3});
const DirectLinkSettings three = child_of(two, {3, 2});
const DirectLinkSettings five = child_of(one, {5, 5});
const DirectLinkSettings ten = child_of(head, {10, 90});

/// The one who is called takes the caller for who it says it is, with the key that it has.
bool believed(const DirectLinkSettings& caller, const DirectLinkSettings& called,
              LinkPurpose purpose = LinkPurpose::attach) {
    const auto proof = LinkKeys(caller).proof_for(called.self, purpose);
    if (!proof) return false;
    const auto claim = LinkKeys(called).claim_of(proof->identity);
    return claim && claim->from == caller.self && claim->purpose == purpose &&
           claim->key == proof->key;
}

TEST(LinkKeys, a_node_proves_itself_to_all_above_it) {
    for (const auto* called : {&two, &one, &head}) {
        EXPECT_TRUE(believed(three, *called)) << called->self;
        EXPECT_TRUE(believed(three, *called, LinkPurpose::move)) << called->self;
    }
}

TEST(LinkKeys, a_node_proves_itself_to_nobody_else) {
    EXPECT_FALSE(believed(five, two));
    EXPECT_FALSE(believed(two, three));
    EXPECT_FALSE(believed(ten, one));
    EXPECT_FALSE(believed(head, one));
    EXPECT_FALSE(believed(three, three));
}

/// What somebody says and proves who has the memory of one node, and makes what it likes of it.
TEST(LinkKeys, who_has_one_nodes_key_speaks_for_no_other) {
    struct Row {
        const char* row;
        std::vector<NodeRange> lineage;
        const DirectLinkSettings& called;
        bool believed;
    };
    const Row rows[] = {
        {"itself", {{0, 100}, {1, 9}, {2, 3}}, one, true},
        {"itself, to the head", {{0, 100}, {1, 9}, {2, 3}}, head, true},
        {"its sibling, as that was started", {{0, 100}, {1, 9}, {5, 5}}, one, false},
        {"its sibling, as if that were below it", {{0, 100}, {1, 9}, {2, 3}, {5, 5}}, one, false},
        {"its parent", {{0, 100}, {1, 9}}, head, false},
        {"a node elsewhere", {{0, 100}, {10, 90}}, head, false},
        {"a node elsewhere, as if it were below", {{0, 100}, {1, 9}, {2, 3}, {10, 1}}, head, false},
        {"itself, with more nodes below", {{0, 100}, {1, 9}, {2, 8}}, one, false},
        {"itself, started by another", {{0, 100}, {2, 3}}, head, false},
        {"an ancestor's ancestor", {{0, 100}}, head, false},
    };
    for (const Row& row : rows) {
        DirectLinkSettings thief = two;
        thief.self = row.lineage.back().first;
        thief.own.lineage = row.lineage;
        EXPECT_EQ(believed(thief, row.called), row.believed) << row.row;
    }
    // For those below it, it can speak.
    EXPECT_EQ(child_of(two, {3, 2}).own.key, three.own.key);
    EXPECT_TRUE(believed(child_of(two, {4, 1}), head));
}

/// The relay of one that was lost is started by another ancestor, and its parts apart.
TEST(LinkKeys, who_is_started_in_anothers_place_has_a_key_of_its_own) {
    const auto again = child_of(head, {2, 3});
    EXPECT_NE(again.own.key, two.own.key);
    EXPECT_TRUE(believed(again, head));
    EXPECT_FALSE(believed(again, one));
}

TEST(LinkKeys, no_key_serves_two_ends) {
    const auto proof = LinkKeys(three).proof_for(1, LinkPurpose::attach);
    const auto other = LinkKeys(three).proof_for(1, LinkPurpose::move);
    const auto above = LinkKeys(three).proof_for(0, LinkPurpose::attach);
    ASSERT_TRUE(proof && other && above);
    EXPECT_NE(proof->key, other->key);
    EXPECT_NE(proof->key, above->key);
    EXPECT_NE(proof->key, three.own.key);
}

TEST(LinkKeys, what_all_have_opens_only_what_it_is_for) {
    EXPECT_TRUE(believed(five, two, LinkPurpose::peer));
    EXPECT_FALSE(believed(five, two, LinkPurpose::move));
    DirectLinkSettings caller = five;
    DirectLinkSettings called = two;
    caller.routed = true;
    EXPECT_FALSE(believed(caller, called)) << "the tree of the start is the only one";
    called.routed = true;
    EXPECT_TRUE(believed(caller, called));
    EXPECT_FALSE(believed(caller, called, LinkPurpose::move));
}

/// By the key that all have anybody could call as one of those.
TEST(LinkKeys, who_is_below_proves_which_one_it_is) {
    DirectLinkSettings called = one;
    called.routed = true;
    EXPECT_FALSE(LinkKeys(called).claim_of("job/5/1/peer"));
    EXPECT_FALSE(LinkKeys(called).claim_of("job/5/1/attach"));
    EXPECT_TRUE(LinkKeys(called).claim_of("job/10/1/peer"));
    EXPECT_TRUE(LinkKeys(called).claim_of("job/0/1/attach"));
    EXPECT_TRUE(believed(five, one, LinkPurpose::peer)) << "by its own";
}

/// As with `--topology chain`.
TEST(LinkKeys, a_node_at_the_end_of_a_long_chain_proves_itself_to_the_head) {
    DirectLinkSettings top = head;
    top.own.lineage = {{0, 1000}};
    DirectLinkSettings last = top;
    for (NodeIndex i = 1; i < 1000; ++i)
        last = child_of(last, {i, 1000 - i});
    EXPECT_TRUE(believed(last, top));
}

TEST(LinkKeys, without_a_key_there_is_no_proof) {
    DirectLinkSettings poor = three;
    poor.own.key.clear();
    EXPECT_FALSE(LinkKeys(poor).proof_for(2, LinkPurpose::attach));
    EXPECT_FALSE(LinkKeys(poor).key_of({4, 1}));
}

TEST(LinkIdentity, is_read_as_it_is_said) {
    const LinkIdentity said{7, 3, LinkPurpose::attach, {{5, 10}, {7, 2}}};
    EXPECT_EQ(said.text("job/1"), "job/1/7/3/attach/5+10/7+2");
    const auto back = LinkIdentity::parse("job/1", said.text("job/1"));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->path, said.path);
    EXPECT_EQ(back->purpose, LinkPurpose::attach);
    for (const char* wrong :
         {"", "job", "job/", "jobs/7/3/attach", "job/7/3", "job/7/3/", "job/7/3/attach/",
          "job/07/3/attach", "job/7/3/attach/5", "job/7/3/attach/5+", "job/7/3/attach/5+10+2",
          "job/7/3/attach/ 5+10", "job/7/3/steal", "job/7/3/attach/5+99999999999", "job/-7/3/move"})
        EXPECT_FALSE(LinkIdentity::parse("job", wrong)) << wrong;
    std::string far = "job/7/3/attach";
    for (int i = 0; i < 1024; ++i)
        far += "/4+4";
    EXPECT_TRUE(LinkIdentity::parse("job", far));
    EXPECT_FALSE(LinkIdentity::parse("job", far + "/4+4"));
}

}  // namespace
}  // namespace launch
