// SPDX-License-Identifier: MIT
// Which slots are free, and which hosts a job of a session may use.

#include <gtest/gtest.h>

#include "core/hosts/host_text.hpp"
#include "core/session/offered_hosts.hpp"
#include "core/session/slot_ledger.hpp"
#include "core/session/slot_queue.hpp"
#include "tests/unit/golden.hpp"

namespace launch {
namespace {

Host host(const std::string& name, uint32_t slots) {
    return {"", name, 0, slots};
}

TEST(SlotLedger, HasRoomForWhatIsFree) {
    SlotLedger ledger;
    ledger.add(1, 2);
    ledger.add(2, 4);
    const SlotLedger::Parts first{{1, 2}, {2, 1}};
    EXPECT_TRUE(ledger.has_room(first));
    ledger.take(first);
    EXPECT_EQ(ledger.used(1), 2U);
    const struct {
        SlotLedger::Parts parts;
        bool fits;
    } rows[] = {
        {{{2, 3}}, true},  {{{2, 4}}, false}, {{{1, 1}}, false},          {{{2, 3}, {1, 1}}, false},
        {{{3, 1}}, false}, {{{0, 1}}, false}, {{{2, UINT32_MAX}}, false}, {{}, true},
    };
    for (const auto& row : rows)
        EXPECT_EQ(ledger.has_room(row.parts), row.fits)
            << (row.parts.empty() ? 0 : row.parts[0].node);
    EXPECT_TRUE(ledger.knows({{1, 9}}));
    EXPECT_FALSE(ledger.knows({{3, 1}}));
    ledger.give_back(first);
    // Nobody is there: more ranks than slots are the user's own matter.
    EXPECT_TRUE(ledger.has_room({{1, 9}}));
}

TEST(SlotLedger, ForgetsAHostThatIsGoneWhenJobsHaveGivenItBack) {
    SlotLedger ledger;
    ledger.add(7, 2);
    ledger.take({{7, 1}});
    ledger.remove(7);
    EXPECT_FALSE(ledger.knows({{7, 1}}));
    EXPECT_FALSE(ledger.has_room({{7, 1}}));
    EXPECT_EQ(ledger.used(7), 1U);
    ledger.give_back({{7, 1}});
    EXPECT_EQ(ledger.used(7), 0U);
    ledger.give_back({{7, 1}});  // nothing there counts any more
    EXPECT_EQ(ledger.used(7), 0U);
}

using Nodes = std::set<NodeIndex>;

/// The nodes on which free slots help the client.
Nodes open_to(const SlotQueue& queue, SlotQueue::Client client) {
    Nodes nodes;
    for (NodeIndex node = 0; node < 10; ++node)
        if (queue.helped([node](NodeIndex free) { return free == node; }).contains(client))
            nodes.insert(node);
    return nodes;
}

TEST(SlotQueue, keeps_hosts_for_those_who_came_before) {
    SlotQueue queue;
    EXPECT_TRUE(queue.wait(7, {1, 2}));
    EXPECT_TRUE(queue.wait(8, {2, 3}));
    EXPECT_TRUE(queue.wait(9, {1, 2, 3, 4}));
    EXPECT_EQ(queue.kept_from(7), Nodes());
    EXPECT_EQ(queue.kept_from(8), (Nodes{1, 2}));
    EXPECT_EQ(open_to(queue, 8), Nodes{3});
    EXPECT_EQ(open_to(queue, 9), Nodes{4});
    EXPECT_EQ(queue.kept_from(5), (Nodes{1, 2, 3, 4})) << "a new client comes last";
    EXPECT_EQ(open_to(queue, 5), Nodes());
    EXPECT_FALSE(queue.wait(7, {1})) << "it keeps its position";
    EXPECT_EQ(queue.kept_from(8), Nodes{1});
    EXPECT_TRUE(queue.leave(7));
    EXPECT_FALSE(queue.leave(7));
    EXPECT_EQ(queue.kept_from(9), (Nodes{2, 3}));
    EXPECT_EQ(queue.all(), (std::vector<SlotQueue::Client>{8, 9}));
}

TEST(SlotQueue, keeps_nothing_for_a_client_that_does_not_answer) {
    const Clock::time_point now{};
    const auto later = now + std::chrono::seconds{1};
    SlotQueue queue;
    queue.wait(1, {5});
    queue.wait(2, {5});
    EXPECT_TRUE(queue.waits(1));
    EXPECT_EQ(queue.next_deadline(), Clock::time_point::max());
    queue.tell(1, later);
    EXPECT_FALSE(queue.waits(1));
    EXPECT_EQ(queue.next_deadline(), later);
    EXPECT_FALSE(queue.pass_over(now));
    EXPECT_EQ(open_to(queue, 2), Nodes());
    EXPECT_TRUE(queue.pass_over(later));
    EXPECT_EQ(open_to(queue, 2), Nodes{5});
    EXPECT_FALSE(queue.pass_over(later));
    queue.wait(1, {5});
    EXPECT_EQ(open_to(queue, 2), Nodes()) << "its process goes on, at its old position";
}

/// a is half used, b wholly, c not at all, d is not up.
SessionState session() {
    SessionState state;
    state.name = "s";
    state.hosts = {{host("a", 2), 1, true, false, 1, "", 0},
                   {host("b", 2), 2, true, false, 3, "", 0},
                   {host("c", 1), 3, true, false, 0, "", 0},
                   {{"u", "d", 22, 4}, 4, false, false, 0, "gone", 0}};
    state.jobs = {{JobNumber{2}, "./app", 4, {1, 2}, {"a", "b"}, 0, 0, ""}};
    return state;
}

std::string text(const Result<HostOffer>& offer) {
    if (!offer) return describe(offer.error());
    std::string text;
    for (const auto& each : offer->hosts)
        text += (text.empty() ? "" : " ") + to_string(each);
    return text + (offer->is_part ? " (part)" : "");
}

TEST(OfferedHosts, AreThoseWithFreeSlots) {
    const struct {
        HostWish wish;
        const char* offered;
    } rows[] = {
        {{}, "a c (part)"},
        {{{}, true}, "a:2 b:2 c"},
        {{{host("c", 9)}}, "c"},
        {{{host("c", 1), host("a", 1)}}, "c a (part)"},
        {{{host("c", 1), host("d", 1)}, false, true}, "c"},
        {{.unwanted = {host("a", 1)}}, "c (part)"},
        {{.share = true, .unwanted = {{"u", "d", 0, 1}, host("x", 1)}, .most = 2}, "a:2 b:2"},
        {{.share = true, .unwanted = {host("a", 1)}, .most = 1}, "b:2"},
        {{.most = 1}, "a (part)"},
        {{.most = 3}, "a c (part)"},
        {{{host("b", 1), host("a", 1)}, false, false, true}, "a (part)"},
    };
    for (const auto& row : rows)
        EXPECT_EQ(text(offered_hosts(session(), row.wish)), row.offered);
    const HostWish crowded{.unwanted = {host("a", 1), host("c", 1)}};
    const struct {
        HostWish wish;
        std::vector<std::string> words;
    } refused[] = {
        {{{host("d", 1)}}, {"d: ", "--allow-missing"}},
        {{{host("a", 1), host("d", 1)}, false, true, true}, {"d: ", "not up"}},
        {{{host("x", 1), host("y", 1), host("a", 1)}}, {"x,y: ", "launch session show s"}},
        {{{{"v", "d", 0, 1}}}, {"d: ", "launch session show s"}},
        {crowded, {"session s", "2 of 5", "job 2 (./app)"}},
        {{{host("b", 1)}}, {"session s", "2 of 5", "job 2 (./app)"}},
    };
    for (const auto& row : refused)
        expect_told(row.words, text(offered_hosts(session(), row.wish)));
}

TEST(OfferedHosts, slots_that_are_kept_for_others_are_not_free) {
    SessionState state = session();
    state.hosts[2].is_kept = true;
    state.waiting = 2;
    EXPECT_EQ(text(offered_hosts(state, {})), "a (part)");
    expect_told({"session s", "1 of 5", "job 2 (./app)", "--wait", "--share"},
                text(offered_hosts(state, {{host("c", 1)}})));
    EXPECT_EQ(text(offered_hosts(state, {{host("c", 1)}, true})), "c");
    EXPECT_EQ(wished_nodes(state, {}), (std::vector<NodeIndex>{1, 2, 3, 4}));
    EXPECT_EQ(wished_nodes(state, {{host("b", 1)}}), std::vector<NodeIndex>{2});
    EXPECT_EQ(wished_nodes(state, {.unwanted = {host("a", 1)}}), (std::vector<NodeIndex>{2, 3, 4}));
}

TEST(OfferedHosts, each_name_has_the_index_of_its_host_which_is_offered_once) {
    using Places = std::vector<std::optional<uint32_t>>;
    const HostWish wish{
        {host("c", 1), host("b", 1), host("a", 1), host("c", 2)}, false, false, true};
    const auto offer = offered_hosts(session(), wish);
    ASSERT_TRUE(offer);
    EXPECT_EQ(offer->hosts.size(), 2U);
    EXPECT_EQ(offer->places, (Places{0, std::nullopt, 1, 0}));
    EXPECT_TRUE(offered_hosts(session(), {})->places.empty());
}

TEST(OfferedHosts, AreNotThoseThatLeave) {
    auto state = session();
    state.hosts[0].leaves = state.hosts[2].leaves = true;
    EXPECT_EQ(text(offered_hosts(state, {{}, true})), "b:2");
    expect_told({"c: ", "session s", "--allow-missing"},
                text(offered_hosts(state, {{host("c", 1)}})));
    EXPECT_EQ(text(offered_hosts(state, {{host("c", 1), host("b", 1)}, true, true})), "b:2");
    state.hosts[1].leaves = true;
    expect_told({"session s"}, text(offered_hosts(state, {})));
    state.hosts[3].leaves = true;
    expect_told({"session s"}, text(offered_hosts(state, {})));
    state.hosts.clear();
    expect_told({"session s"}, text(offered_hosts(state, {})));
}

TEST(OfferedHosts, AreKnownWithoutUserAndPort) {
    auto state = session();
    state.hosts[3].up = true;
    for (const Host& wanted : {host("d", 1), Host{"u", "d", 0, 1}, Host{"", "d", 22, 1}}) {
        const auto offer = offered_hosts(state, {{wanted}});
        ASSERT_TRUE(offer);
        EXPECT_EQ(offer->hosts, (std::vector<Host>{{"u", "d", 22, 4}}));
    }
}

}  // namespace
}  // namespace launch
