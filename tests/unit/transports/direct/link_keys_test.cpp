// SPDX-License-Identifier: MIT
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

DirectLinkSettings routed(DirectLinkSettings settings) {
    settings.routed = true;
    return settings;
}

/// They have told each other's public keys.
void introduce(const std::vector<Keyholder*>& all) {
    std::vector<Contact> contacts;
    for (const Keyholder* one_of_them : all)
        contacts.push_back(one_of_them->contact);
    for (const Keyholder* one_of_them : all)
        one_of_them->keys.know(contacts);
}

bool believed(const Keyholder& caller, const Keyholder& called, LinkPurpose purpose) {
    const auto proof = caller.keys.proof_for(called.contact.node, purpose);
    if (!proof) return false;
    const auto claim = called.keys.claim_of(proof->identity);
    return claim && claim->from == caller.contact.node && claim->purpose == purpose &&
           claim->key == proof->key &&
           (claim->public_key.empty() || called.keys.is_key_of(claim->from, claim->public_key));
}

TEST(LinkKeys, nodes_side_by_side_prove_themselves_by_their_pairs) {
    Keyholder calls(five);
    Keyholder is_called(two);
    EXPECT_FALSE(believed(calls, is_called, LinkPurpose::peer)) << "nobody knows the other";
    introduce({&calls, &is_called});
    EXPECT_TRUE(believed(calls, is_called, LinkPurpose::peer));
    EXPECT_TRUE(believed(is_called, calls, LinkPurpose::peer));
    EXPECT_FALSE(believed(calls, is_called, LinkPurpose::move));
    EXPECT_FALSE(believed(calls, is_called, LinkPurpose::attach)) << "there is but one tree";
}

TEST(LinkKeys, a_pair_opens_a_place_in_a_routing_tree_only) {
    Keyholder calls(routed(five));
    Keyholder is_called(routed(two));
    introduce({&calls, &is_called});
    EXPECT_TRUE(believed(calls, is_called, LinkPurpose::attach));
    EXPECT_FALSE(believed(calls, is_called, LinkPurpose::move));
}

/// It is told of the others when it is started, and only those above it are told of it.
TEST(LinkKeys, who_joined_is_believed_by_those_who_were_told_of_it) {
    Keyholder above(routed(two));
    Keyholder elsewhere(routed(five));
    Keyholder joins(routed(child_of(ten, {100, 1})));
    introduce({&above, &elsewhere});
    joins.keys.know({above.contact, elsewhere.contact});
    EXPECT_FALSE(believed(joins, above, LinkPurpose::attach)) << "nobody was told yet";
    above.keys.know_joined({joins.contact});
    EXPECT_TRUE(believed(joins, above, LinkPurpose::attach));
    EXPECT_FALSE(believed(joins, elsewhere, LinkPurpose::attach));
    EXPECT_TRUE(believed(elsewhere, above, LinkPurpose::attach))
        << "the others are known as before";
}

TEST(LinkKeys, who_has_left_is_not_believed_any_more) {
    Keyholder above(routed(two));
    Keyholder stays(routed(five));
    Keyholder leaves(routed(child_of(ten, {100, 1})));
    introduce({&above, &stays});
    leaves.keys.know({above.contact});
    above.keys.know_joined({leaves.contact});
    above.keys.forget({101, 3});
    EXPECT_TRUE(believed(leaves, above, LinkPurpose::attach)) << "these were others";
    above.keys.forget({99, 2});
    EXPECT_FALSE(believed(leaves, above, LinkPurpose::attach));
    EXPECT_TRUE(believed(stays, above, LinkPurpose::attach));
}

TEST(LinkKeys, who_joined_may_be_known_before_the_others) {
    Keyholder above(routed(two));
    Keyholder other(routed(five));
    Keyholder joins(routed(child_of(ten, {100, 1})));
    above.keys.know_joined({joins.contact});
    EXPECT_FALSE(above.keys.knows());
    introduce({&above, &other});
    joins.keys.know({above.contact});
    EXPECT_TRUE(believed(joins, above, LinkPurpose::attach));
}

TEST(LinkKeys, who_is_below_proves_it_by_its_path_or_by_its_pair) {
    Keyholder calls(routed(five));
    Keyholder is_called(routed(one));
    Keyholder again(routed(child_of(head, {2, 3})));
    introduce({&calls, &is_called, &again});
    EXPECT_TRUE(believed(calls, is_called, LinkPurpose::peer));
    const auto proof = calls.keys.proof_for(1, LinkPurpose::peer);
    ASSERT_TRUE(proof);
    EXPECT_EQ(proof->identity, "job/5/1/peer/5+5");
    EXPECT_TRUE(believed(again, is_called, LinkPurpose::peer)) << "it was started by the head";
}

/// What somebody makes of one node's memory, who wants to pass for another one at a third.
TEST(LinkKeys, a_pair_speaks_for_one_node_only) {
    Keyholder ten_itself(routed(ten));
    Keyholder victim(routed(five));
    Keyholder is_called(routed(two));
    introduce({&ten_itself, &victim, &is_called});
    for (const LinkPurpose purpose : {LinkPurpose::peer, LinkPurpose::attach}) {
        ASSERT_TRUE(believed(ten_itself, is_called, purpose));
        DirectLinkSettings settings = routed(ten);
        settings.self = victim.contact.node;
        Keyholder thief(settings);  // under the victim's name, with a pair of its own
        thief.keys.know({is_called.contact});
        EXPECT_FALSE(believed(thief, is_called, purpose));
        // Under the victim's name and public key.
        const LinkIdentity said{5, 2, purpose, {}, victim.contact.public_key};
        const auto claim = is_called.keys.claim_of(said.text("job"));
        ASSERT_TRUE(claim);
        const auto proof = thief.keys.proof_for(2, purpose);
        ASSERT_TRUE(proof);
        EXPECT_NE(claim->key, proof->key);
    }
}

/// Its name goes with it, and it is not believed before the key is found to be its.
TEST(LinkKeys, who_is_not_known_yet_says_by_what_it_will_be) {
    Keyholder calls(five);
    Keyholder is_called(two);
    calls.keys.know({is_called.contact});
    const auto proof = calls.keys.proof_for(2, LinkPurpose::peer);
    ASSERT_TRUE(proof);
    auto claim = is_called.keys.claim_of(proof->identity);
    ASSERT_TRUE(claim);
    EXPECT_EQ(claim->key, proof->key);
    EXPECT_EQ(claim->public_key, calls.contact.public_key);
    EXPECT_FALSE(is_called.keys.is_key_of(5, claim->public_key));
    is_called.keys.know({calls.contact});
    EXPECT_TRUE(is_called.keys.is_key_of(5, claim->public_key));
    EXPECT_FALSE(is_called.keys.is_key_of(10, claim->public_key));
    is_called.keys.know({{5, "", 0, is_called.contact.public_key}});
    EXPECT_FALSE(is_called.keys.claim_of(proof->identity)) << "it is another's";
}

TEST(LinkKeys, what_all_have_opens_nothing) {
    Keyholder is_called(routed(two));
    introduce({&is_called});
    for (const char* said : {"job/5/2/peer", "job/5/2/attach", "job/0/2/attach", "job/3/2/move"})
        EXPECT_FALSE(is_called.keys.claim_of(said)) << said;
}

TEST(LinkKeys, a_pair_without_the_jobs_key_opens_nothing) {
    DirectLinkSettings other = five;
    other.job_key.back() = 'x';
    Keyholder calls(other);
    Keyholder is_called(two);
    introduce({&calls, &is_called});
    EXPECT_FALSE(believed(calls, is_called, LinkPurpose::peer));
}

TEST(LinkKeys, who_was_never_asked_for_its_key_takes_no_pairs) {
    Keyholder calls(five);
    const LinkIdentity said{5, 2, LinkPurpose::peer, {}, calls.contact.public_key};
    EXPECT_TRUE(Keyholder(two).keys.claim_of(said.text("job")));
    EXPECT_FALSE(LinkKeys(two).claim_of(said.text("job")));
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
    const LinkIdentity pair{7, 3, LinkPurpose::peer, {}, std::string(31, '\x0a') + '\xff'};
    const std::string text = pair.text("job");
    EXPECT_TRUE(text.starts_with("job/7/3/peer/=0a0a") && text.ends_with("0aff")) << text;
    ASSERT_TRUE(LinkIdentity::parse("job", text));
    EXPECT_EQ(LinkIdentity::parse("job", text)->public_key, pair.public_key);
    for (const std::string& wrong :
         {text.substr(0, text.size() - 1), text + "0", text + "/", text + "/5+10",
          text.substr(0, text.size() - 2) + "FF", text.substr(0, text.size() - 2) + "+f",
          text.substr(0, text.size() - 2) + "-1", std::string("job/7/3/peer/=")})
        EXPECT_FALSE(LinkIdentity::parse("job", wrong)) << wrong;
    std::string far = "job/7/3/attach";
    for (int i = 0; i < 1024; ++i)
        far += "/4+4";
    EXPECT_TRUE(LinkIdentity::parse("job", far));
    EXPECT_FALSE(LinkIdentity::parse("job", far + "/4+4"));
}

}  // namespace
}  // namespace launch
