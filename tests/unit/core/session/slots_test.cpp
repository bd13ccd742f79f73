// Which slots are free, and which hosts a job of a session may use.

#include <gtest/gtest.h>

#include "core/hosts/host_text.hpp"
#include "core/session/offered_hosts.hpp"
#include "core/session/slot_ledger.hpp"

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
        {{{host("d", 1)}},
         "d: choose hosts of session s: not up (--allow-missing goes on without)"},
        {{{host("x", 1), host("y", 1), host("a", 1)}},
         "x,y: choose hosts of session s: not among its hosts (`launch session show s` lists "
         "them)"},
        {{{{"v", "d", 0, 1}}},
         "d: choose hosts of session s: not among its hosts (`launch session show s` lists them)"},
        {{.unwanted = {host("a", 1)}}, "c (part)"},
        {{.share = true, .unwanted = {{"u", "d", 0, 1}, host("x", 1)}, .most = 2}, "a:2 b:2"},
        {{.share = true, .unwanted = {host("a", 1)}, .most = 1}, "b:2"},
        {{.most = 1}, "a (part)"},
        {{.most = 3}, "a c (part)"},
        {{.unwanted = {host("a", 1), host("c", 1)}},
         "run in session s: too few slots are free: 2 of 5; job 2 (./app) has 4 ranks (--wait "
         "waits "
         "for slots, --share runs beside other jobs)"},
        {{{host("b", 1)}},
         "run in session s: too few slots are free: 2 of 5; job 2 (./app) has 4 ranks (--wait "
         "waits "
         "for slots, --share runs beside other jobs)"},
        {{{host("b", 1), host("a", 1)}, false, false, true}, "a (part)"},
        {{{host("a", 1), host("d", 1)}, false, true, true}, "d: choose hosts of session s: not up"},
    };
    for (const auto& row : rows)
        EXPECT_EQ(text(offered_hosts(session(), row.wish)), row.offered);
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
    EXPECT_EQ(text(offered_hosts(state, {{host("c", 1)}})),
              "c: choose hosts of session s: not up (--allow-missing goes on without)");
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
