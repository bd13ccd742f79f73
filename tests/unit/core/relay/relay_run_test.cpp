// SPDX-License-Identifier: MIT
// A relay whose parent the test plays, frame by frame.

#include "core/relay/relay_run.hpp"

#include <gtest/gtest.h>
#include <set>

#include "core/link/patience.hpp"
#include "core/link/report_log.hpp"
#include "tests/unit/core/harness/lone_relay.hpp"

namespace launch {
namespace {

constexpr size_t line_size = 1024;

/// Of that many bytes each, as the rank writes them.
void write_lines(LoneRelay& relay, int count, const std::string& job = "job") {
    for (int i = 0; i < count; ++i)
        relay.part(job)->host.modex_trace(7, std::string(line_size - 1, 'x'));
}

uint64_t output_bytes(const Peer& parent) {
    uint64_t bytes = 0;
    for (const std::string& payload : parent.all(FrameType::output))
        bytes += payload.size();
    return bytes;
}

std::vector<uint64_t> numbers(const Peer& parent, FrameType type) {
    std::vector<uint64_t> numbers;
    for (const std::string& payload : parent.all(type))
        if (const auto report = unwrap_report(payload)) numbers.push_back(report->header.number);
    return numbers;
}

/// Of a job, those on one stream, each once.
size_t pieces(const Peer& parent, JobNumber job, Stream stream) {
    std::set<uint64_t> numbers;
    for (const std::string& payload : parent.all(FrameType::output)) {
        const auto report = unwrap_report(payload);
        const auto text = unwrap_job(report->body);
        if (text->job == job && OutputMessage::decode(text->body)->stream == stream)
            numbers.insert(report->header.number);
    }
    return numbers.size();
}

std::vector<uint64_t> count_up(uint64_t first, uint64_t last) {
    std::vector<uint64_t> numbers;
    for (uint64_t i = first; i <= last; ++i)
        numbers.push_back(i);
    return numbers;
}

TEST(RelayRun, greets_first_and_says_that_it_is_up_when_it_has_its_job) {
    LoneRelay relay;
    relay.greet();
    relay.give_part(1u << 20);
    relay.settle();
    EXPECT_EQ(relay.parent->types(), std::vector<FrameType>{FrameType::hello});
    relay.begin(first_job, "job");
    ASSERT_TRUE(relay.until([&] { return relay.parent->count(FrameType::nodes_up) == 1; }));
    const std::string up = relay.parent->all(FrameType::nodes_up)[0];
    EXPECT_EQ(NodesMessage::decode(unwrap_report(up)->body)->nodes, std::vector<NodeIndex>{1});
}

TEST(RelayRun, leaves_one_who_is_none_of_ours) {
    for (const bool greets : {true, false}) {
        LoneRelay relay;
        if (greets)
            relay.parent->greet("another build");
        else
            relay.parent->link->close();
        EXPECT_TRUE(relay.until([&] { return relay.has_ended(); }));
    }
}

TEST(RelayRun, output_waits_for_credit_and_goes_on_with_it) {
    constexpr uint64_t window = 20 * line_size;
    constexpr int lines = 100;
    LoneRelay relay;
    ASSERT_TRUE(relay.come_up({"job"}, window));
    write_lines(relay, lines);
    relay.settle();
    const auto has = output_bytes(*relay.parent);
    EXPECT_GE(has, window);
    EXPECT_LT(has, window + 2 * line_size);
    relay.part()->host.modex_notice("not held up by that");
    ASSERT_TRUE(relay.until([&] { return relay.parent->count(FrameType::notice) == 1; }));
    EXPECT_EQ(output_bytes(*relay.parent), has);
    relay.parent->send(FrameType::credit, encode_number(10 * line_size));
    relay.settle();
    EXPECT_GT(output_bytes(*relay.parent), has + 9 * line_size);
    EXPECT_LT(output_bytes(*relay.parent), has + 12 * line_size);
    relay.parent->send(FrameType::credit, encode_number(2 * lines * line_size));
    ASSERT_TRUE(relay.until([&] { return relay.parent->count(FrameType::output) == lines; }));
    EXPECT_EQ(numbers(*relay.parent, FrameType::output), count_up(1, lines));
}

TEST(RelayRun, output_that_nobody_acknowledges_is_kept_and_stops_the_rank) {
    constexpr int lines = 1000;
    LoneRelay relay;
    ASSERT_TRUE(relay.come_up({"job"}, 100u << 20));
    write_lines(relay, lines);
    relay.settle();
    const size_t kept = relay.parent->count(FrameType::output);
    EXPECT_GT(kept, 400u);
    EXPECT_LT(kept, 600u);
    relay.parent->send(FrameType::ack, AckMessage{1, 0, kept}.encode());
    ASSERT_TRUE(relay.until([&] { return relay.parent->count(FrameType::output) == lines; }));
    EXPECT_EQ(numbers(*relay.parent, FrameType::output), count_up(1, lines));
}

TEST(RelayRun, a_reader_that_stands_still_keeps_only_its_own_job_waiting) {
    constexpr size_t lines = 100;
    constexpr JobNumber other{2};
    constexpr uint64_t size = OutputAccount::size_of(line_size);
    LoneRelay relay;
    relay.greet();
    relay.give_part(100u << 20);
    relay.begin(first_job, "job", 20 * size);
    relay.begin(other, "other", 20 * size);
    ASSERT_TRUE(relay.until([&] { return relay.part("other") != nullptr; }));
    const auto said = [&](JobNumber job, Stream stream = Stream::err) {
        relay.settle();
        return pieces(*relay.parent, job, stream);
    };
    const auto has_read = [&](JobNumber job, size_t count) {
        relay.parent->send(FrameType::ack, AckMessage{1, 0, 0, job, count * size}.encode());
    };
    write_lines(relay, lines);
    EXPECT_EQ(said(first_job), 20U);
    write_lines(relay, lines, "other");
    EXPECT_EQ(said(other), 20U);
    has_read(other, lines);
    EXPECT_EQ(said(other), lines);
    EXPECT_EQ(said(first_job), 20U);
    has_read(first_job, 10);
    EXPECT_EQ(said(first_job), 30U);
    EXPECT_EQ(said(first_job, Stream::ask), 0U);
    // A link has broken, and acknowledgements of what was read are lost.
    relay.parent->send(FrameType::resend, {});
    EXPECT_EQ(said(first_job, Stream::ask), 1U);
    EXPECT_EQ(said(other, Stream::ask), 0U) << "all of it was read";
    has_read(first_job, lines);
    EXPECT_EQ(said(first_job), lines);
    // Also a job that may write a little more is told nothing before it has.
    write_lines(relay, 19, "other");
    EXPECT_EQ(said(other), lines + 19);
    relay.parent->send(FrameType::resend, {});
    EXPECT_EQ(said(other, Stream::ask), 1U);
}

TEST(RelayRun, what_is_acknowledged_is_not_said_again) {
    LoneRelay relay;
    ASSERT_TRUE(relay.come_up());
    for (int i = 0; i < 5; ++i)
        relay.part()->host.modex_notice("news");
    write_lines(relay, 4);
    relay.settle();
    ASSERT_EQ(numbers(*relay.parent, FrameType::notice), count_up(2, 6));  // it was up before
    relay.parent->send(FrameType::ack, AckMessage{1, 4, 3}.encode());
    relay.parent->send(FrameType::ack, AckMessage{2, 100, 100}.encode());  // another's
    relay.parent->heard.clear();
    relay.parent->send(FrameType::resend, {});
    relay.settle();
    EXPECT_EQ(relay.parent->count(FrameType::nodes_up), 0u);
    EXPECT_EQ(numbers(*relay.parent, FrameType::notice), count_up(5, 6));
    EXPECT_EQ(numbers(*relay.parent, FrameType::output), count_up(4, 4));
}

TEST(RelayRun, what_the_parent_says_twice_is_heard_once) {
    LoneRelay relay;
    ASSERT_TRUE(relay.come_up());
    const std::string once = relay.channel.keep(FrameType::modex, wrap_job(first_job, "once"));
    for (int i = 0; i < 3; ++i)
        relay.parent->send(FrameType::modex, once);
    relay.keep(FrameType::modex, first_job, "then");
    ASSERT_TRUE(relay.until([&] { return relay.part()->from_above.size() == 2; }));
    EXPECT_EQ(relay.part()->from_above, (std::vector<std::string>{"once", "then"}));
}

TEST(RelayRun, says_bye_last_and_leaves_when_it_is_over) {
    LoneRelay relay;
    ASSERT_TRUE(relay.come_up());
    relay.part()->host.modex_notice("one more");
    write_lines(relay, 3);
    relay.broadcast(FrameType::finish, {});
    ASSERT_TRUE(relay.until([&] { return relay.has_ended() && relay.parent->ended; }));
    EXPECT_EQ(relay.parent->count(FrameType::notice), 1u);
    EXPECT_EQ(relay.parent->count(FrameType::output), 3u);
    EXPECT_EQ(relay.parent->heard.back().type, FrameType::bye);
    EXPECT_EQ(relay.network.open_ends(), 0);
}

TEST(RelayRun, leaves_with_those_below_it_when_it_is_replaced) {
    LoneRelay relay(3);
    ASSERT_TRUE(relay.come_up());
    ASSERT_TRUE(relay.until([&] { return relay.parent->count(FrameType::nodes_up) == 3; }));
    relay.parent->send(FrameType::dismissed, {});
    EXPECT_TRUE(relay.until([&] {
        return relay.has_ended() && !relay.network.running(2) && !relay.network.running(3);
    }));
}

/// The test answers for the head, which has started another relay for node 2.
TEST(RelayRun, sends_away_who_asks_for_a_place_and_was_replaced) {
    LoneRelay relay(2);
    relay.tree.routing = "chain";
    ASSERT_TRUE(relay.come_up());
    ASSERT_TRUE(relay.until([&] { return relay.parent->count(FrameType::nodes_up) == 2; }));
    const RoutesMessage routes{{{{0, "", 0}, "head"}, {{1, "", 0}, "n1"}, {{2, "", 0}, "n2", 1}}};
    relay.broadcast(FrameType::routes, routes.encode());
    ASSERT_TRUE(relay.until([&] { return relay.parent->count(FrameType::attach) == 1; }));
    relay.parent->send(FrameType::attached, AttachedMessage{ReceivedCount{}, {}}.encode());
    EXPECT_TRUE(relay.until([&] { return !relay.network.running(2); }));
    EXPECT_FALSE(relay.has_ended());
}

/// The head has given both up.
TEST(RelayRun, leaves_with_those_below_it_if_the_routing_tree_has_none_of_them) {
    LoneRelay relay(2);
    relay.tree.routing = "chain";
    ASSERT_TRUE(relay.come_up());
    relay.broadcast(FrameType::routes, RoutesMessage{{{{0, "", 0}, "head"}}}.encode());
    EXPECT_TRUE(relay.until([&] { return relay.has_ended() && !relay.network.running(2); }));
    EXPECT_EQ(relay.network.refused, "") << "it is no fault of the message";
}

TEST(RelayRun, who_has_no_parent_any_more_and_finds_none_ends_with_those_below_it) {
    LoneRelay relay(3);
    ASSERT_TRUE(relay.come_up());
    ASSERT_TRUE(relay.until([&] { return relay.parent->count(FrameType::nodes_up) == 3; }));
    relay.cable->cut();
    EXPECT_TRUE(relay.until([&] {
        return relay.has_ended() && !relay.network.running(2) && !relay.network.running(3);
    }));
}

/// The head may be away for long; that this relay speaks is none of its doing.
TEST(RelayRun, says_that_it_is_there_where_it_says_nothing_else) {
    LoneRelay relay(1, milliseconds{40});
    ASSERT_TRUE(relay.come_up());
    EXPECT_TRUE(relay.until([&] { return relay.parent->count(FrameType::ping) >= 3; }));
    EXPECT_FALSE(relay.has_ended());
}

TEST(RelayRun, a_head_that_is_silent_for_too_long_is_gone) {
    LoneRelay relay(1, milliseconds{40});
    ASSERT_TRUE(relay.come_up());
    const auto begin = Clock::now();
    EXPECT_TRUE(relay.until([&] { return relay.has_ended(); }));
    EXPECT_GE(Clock::now() - begin, milliseconds{10} * (patience::head - 1));
}

/// A chain of the relay, node 2 below it, whose relay the test plays, and two more below that.
struct RelayWithAPlayedChild {
    RelayWithAPlayedChild() {
        relay.tree.topology = "chain";
        relay.network.played[2] = [this](Network::Stream stream) {
            child = Peer::make(relay.network.executor, relay.network.tasks, std::move(stream));
            child->greet(own_build_id());
        };
    }
    bool come_up() {
        return relay.come_up() && relay.until([&] { return child != nullptr; }) &&
               relay.until([&] { return child->count(FrameType::subtree) == 1; });
    }
    /// Of any node below, by way of that child.
    void report(NodeIndex origin, FrameType type, std::string_view body) {
        child->send(type, logs.try_emplace(origin, origin).first->second.add(type, body).payload);
    }
    void report_up(NodeIndex node) {
        report(node, FrameType::nodes_up, NodesMessage{{node}}.encode());
    }
    /// What the relay says to its parent of the start, when it has heard all that.
    std::optional<bool> says_starting() {
        relay.settle();
        relay.parent->send(FrameType::ping, PingMessage{false, {}}.encode());
        child->send(FrameType::ping, PingMessage{false, {}}.encode());
        relay.settle();
        relay.parent->heard.clear();
        if (!relay.until([&] { return relay.parent->count(FrameType::ping) > 0; })) return {};
        const auto ping = PingMessage::decode(relay.parent->all(FrameType::ping).back());
        return ping ? std::optional(ping->starting) : std::nullopt;
    }

    std::shared_ptr<Peer> child;
    std::map<NodeIndex, ReportLog> logs;
    LoneRelay relay{4, milliseconds{2000}};
};

/// Who tells that all below have heard something lets those above forget it.
TEST(RelayRun, tells_that_those_below_have_heard_what_they_have) {
    RelayWithAPlayedChild at;
    ASSERT_TRUE(at.come_up());
    const auto tell_all = [&](int orders) {
        at.relay.parent->heard.clear();
        for (int i = 0; i < orders; ++i)
            at.relay.broadcast(FrameType::window, wrap_job(first_job, encode_number(0)));
        at.relay.settle();
        std::optional<uint64_t> heard;
        for (const std::string& payload : at.relay.parent->all(FrameType::ping))
            heard = PingMessage::decode(payload)->heard;
        return heard;
    };
    EXPECT_EQ(tell_all(200).value_or(0), 0U) << "the child has not told";
    at.child->send(FrameType::ping, PingMessage{false, {}, 150}.encode());
    at.relay.settle();
    EXPECT_EQ(tell_all(1), 150U);
}

TEST(RelayRun, tells_its_parent_while_one_below_waits_for_the_head) {
    RelayWithAPlayedChild at;
    ASSERT_TRUE(at.come_up());
    for (const bool waits : {true, false}) {
        at.relay.parent->heard.clear();
        at.child->send(FrameType::ping, PingMessage{false, {}, 0, waits}.encode());
        at.relay.settle();
        const auto pings = at.relay.parent->all(FrameType::ping);
        ASSERT_EQ(pings.size(), 1U);
        EXPECT_EQ(PingMessage::decode(pings.front())->waits_for_head, waits);
    }
}

TEST(RelayRun, leaves_when_the_head_has_confirmed_its_reports) {
    LoneRelay relay;
    ASSERT_TRUE(relay.come_up());
    relay.broadcast(FrameType::finish, {});
    relay.settle();
    EXPECT_EQ(relay.parent->count(FrameType::bye), 0U);
    EXPECT_TRUE(PingMessage::decode(relay.parent->all(FrameType::ping).back())->waits_for_head);
    const size_t reports =
        relay.parent->count(FrameType::nodes_up) + relay.parent->count(FrameType::exits);
    relay.parent->send(FrameType::ack, AckMessage{1, reports, 0}.encode());
    relay.settle();
    EXPECT_EQ(relay.parent->count(FrameType::bye), 1U);
}

TEST(RelayRun, leaves_though_nothing_is_confirmed_where_it_has_waited_for_long) {
    LoneRelay relay;
    ASSERT_TRUE(relay.come_up());
    relay.broadcast(FrameType::finish, {});
    const auto begin = Clock::now();
    EXPECT_TRUE(relay.until([&] { return relay.parent->count(FrameType::bye) == 1; }));
    EXPECT_EQ(Clock::now() - begin, patience::confirmed);
}

/// It says no more than that, for ever.
TEST(RelayRun, does_not_wait_for_ever_for_one_below_that_waits_for_the_head) {
    RelayWithAPlayedChild at;
    ASSERT_TRUE(at.come_up());
    at.relay.broadcast(FrameType::finish, {});
    const auto begin = Clock::now();
    while (!at.child->ended && Clock::now() - begin < 2 * patience::hang_up) {
        at.child->send(FrameType::ping, PingMessage{false, {}, 0, true}.encode());
        at.relay.parent->send(FrameType::ping, PingMessage{false, {}}.encode());
        at.relay.simulation.run_for(milliseconds{400});
    }
    EXPECT_GE(Clock::now() - begin, patience::hang_up);
    EXPECT_LT(Clock::now() - begin, 2 * patience::hang_up);
}

/// The parent may answer that the node is elsewhere.
TEST(RelayRun, says_once_that_a_node_has_left_it_at_the_end) {
    RelayWithAPlayedChild at;
    ASSERT_TRUE(at.come_up());
    at.report_up(2);
    at.relay.broadcast(FrameType::finish, {});
    at.relay.settle();
    at.child->send(FrameType::bye, {});
    at.relay.settle();
    at.child->link->close();
    at.relay.settle();
    for (int told = 0; told < 2; ++told) {
        at.relay.keep(FrameType::released, MovedMessage{{{3, 1}}}.encode());
        at.relay.settle();
    }
    EXPECT_EQ(at.relay.parent->count(FrameType::gained), 1U);
}

FailureMessage failure_of(NodeIndex node, bool was_up) {
    FailureMessage failure;
    failure.node = node;
    failure.was_up = was_up;
    return failure;
}

TEST(RelayRun, one_that_was_up_and_is_lost_does_not_stand_for_another_in_the_start) {
    RelayWithAPlayedChild at;
    ASSERT_TRUE(at.come_up());
    at.report_up(2);
    at.report_up(3);
    at.report(2, FrameType::failure, failure_of(3, true).encode());
    EXPECT_EQ(at.says_starting(), true) << "node 4 is not known yet";
    at.report_up(4);
    EXPECT_EQ(at.says_starting(), false);
}

/// The word about the start of a relay that failed is late: another runs in its place.
TEST(RelayRun, who_is_started_another_way_is_not_known_by_a_failure_from_before) {
    RelayWithAPlayedChild at;
    ASSERT_TRUE(at.come_up());
    at.report_up(2);
    FailureMessage lost = failure_of(3, true);
    lost.restarted = {{4, 1}};
    lost.restarted_as = 1;
    at.report(2, FrameType::failure, lost.encode());
    at.report(2, FrameType::failure, failure_of(4, false).encode());
    EXPECT_EQ(at.says_starting(), true);
    at.report_up(4);
    EXPECT_EQ(at.says_starting(), false);
}

TEST(RelayRun, who_has_come_to_another_parent_is_not_waited_for_in_the_start) {
    RelayWithAPlayedChild at;
    ASSERT_TRUE(at.come_up());
    at.report_up(2);
    EXPECT_EQ(at.says_starting(), true);
    at.relay.keep(FrameType::released, MovedMessage{{{4, 1}, {3, 1}}}.encode());
    EXPECT_EQ(at.says_starting(), false);
}

struct DirectRow {
    const char* name;
    std::string routing;
    bool joined;  ///< the relay was not there at the start
    bool is_failure;
};

/// On a tree without a job, where the parent cannot be called.
TEST(RelayRun, must_have_its_direct_link_where_it_does_not_go_to_another_parent_yet) {
    const std::vector<DirectRow> rows = {
        {"the tree of the start", "", false, true},
        {"a routing tree is to come", "chain", false, false},
        {"it joined and stays where it is", "chain", true, true},
    };
    for (const DirectRow& row : rows) {
        LoneRelay relay;
        relay.tree.routing = row.routing;
        relay.tree.with_job = false;
        relay.tree.policies.links.choice = LinkChoice::direct;
        if (row.joined) relay.tree.nodes = 0;
        relay.greet();
        relay.give_part(1u << 20);
        const auto told = [&](FrameType type) { return relay.parent->count(type); };
        ASSERT_TRUE(relay.until([&] {
            return told(FrameType::failure) + told(FrameType::notice) > 0;
        })) << row.name;
        EXPECT_EQ(told(FrameType::failure), row.is_failure ? 1U : 0U) << row.name;
    }
}

/// Nodes below it find another parent, which reports the others as lost.
TEST(RelayRun, gives_up_nobody_but_itself) {
    for (const NodeIndex nodes : {1U, 3U}) {
        LoneRelay relay(nodes);
        relay.tree.policies.links.choice = LinkChoice::direct;
        ASSERT_TRUE(relay.come_up());
        ASSERT_TRUE(relay.until([&] { return relay.parent->count(FrameType::failure) == 1; }));
        const std::string told = relay.parent->all(FrameType::failure).front();
        const auto failure = FailureMessage::decode(unwrap_report(told)->body);
        ASSERT_TRUE(failure);
        EXPECT_EQ(failure->node, 1U);
        EXPECT_EQ(failure->count_below(), 0U);
    }
}

struct Refused {
    const char* name;
    FrameType type;
    std::string payload;
};

TEST(RelayRun, ends_the_link_of_one_who_talks_nonsense) {
    const std::string job = wrap_job(JobNumber{2}, "no job");
    const std::vector<Refused> all = {
        {"a second part", FrameType::subtree, ""},
        {"a job that is none", FrameType::job, Encoder{}.number(3).raw(job).take()},
        {"one that misses its predecessor", FrameType::modex, Encoder{}.number(9).raw(job).take()},
        {"no number", FrameType::modex, ""},
        {"no order", FrameType::terminate, ""},
        {"no credit", FrameType::credit, "\xff"},
        {"what only a child may say", FrameType::nodes_up, ""},
    };
    for (const Refused& each : all) {
        LoneRelay relay;
        ASSERT_TRUE(relay.come_up());
        relay.parent->send(each.type, each.payload);
        EXPECT_TRUE(relay.until([&] { return relay.parent->ended; })) << each.name;
        EXPECT_EQ(relay.network.refused, "n1: node 0 sent " + malformed(each.type) + "; ");
    }
}

}  // namespace
}  // namespace launch
