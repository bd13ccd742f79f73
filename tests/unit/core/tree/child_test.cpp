// SPDX-License-Identifier: MIT
// A child alone: the test plays its relay, its node and who uses the tree.

#include "core/tree/child.hpp"

#include <gtest/gtest.h>

#include "tests/unit/core/harness/cable.hpp"
#include "tests/unit/core/harness/peer.hpp"
#include "tests/unit/core/harness/run_until.hpp"
#include "tests/unit/golden.hpp"

namespace launch {
namespace {

constexpr NodeIndex child_node = 1;
constexpr NodeIndex block_size = 3;
/// Below another child.
constexpr NodeIndex foreign_node = 0;
const std::string build = "0123456789abcdef";

struct Owner : ChildOwner {
    explicit Owner(const std::vector<FailureMessage>& told) : failures(&told) {}

    std::vector<FailureMessage> losses;
    size_t confirmed = 0;
    const std::vector<FailureMessage>* failures;  ///< told upwards
    std::optional<size_t> told_before_start_ended;

    void confirm(NodeIndex, size_t) override { ++confirmed; }
    bool contacts_came(const Child&, const ContactsMessage&) override { return false; }
    bool may_speak_for(const Child&, const std::vector<NodeRange>& nodes) const override {
        return std::none_of(nodes.begin(), nodes.end(), [this](NodeRange range) {
            return std::any_of(foreign.begin(), foreign.end(),
                               [range](NodeIndex node) { return range.contains(node); });
        });
    }
    std::vector<NodeIndex> foreign{foreign_node};  ///< below another child
    void have_left(const Child&, const NodesMessage&) override {}
    void lost(const FailureMessage& failure, std::optional<SubtreeMap::ChildId>) override {
        losses.push_back(failure);
    }
    void restart_left_behind(const Child&) override {}
    void not_started(NodeIndex, std::optional<SubtreeMap::ChildId>) override {}
    uint32_t latest_generation(const std::vector<NodeRange>&) const override { return 0; }
    std::optional<FailureMessage> still_true(const FailureMessage& failure) const override {
        return failure;
    }
    bool starts_hosts() const override { return false; }
    bool asks_to_stay(Child&, const AttachMessage&) override { return false; }
    bool gained(Child&, const MovedMessage&) override { return false; }
    void placed(Child&, const RoutedMessage&) override {}
    void start_ended(const Child&) override { told_before_start_ended = failures->size(); }
};

struct User : TreeUser {
    std::vector<std::string> from_below;
    std::vector<ChildView> lost;

    bool from_parent(FrameType, std::string_view) override { return false; }
    bool from_child(NodeIndex, FrameType, std::string_view body) override {
        from_below.emplace_back(body);
        return true;
    }
    bool from_peer(RoutePosition, std::string_view) override { return false; }
    bool report_passes(NodeIndex, FrameType, std::string_view) override { return true; }
    bool ordered(FrameType, std::string_view) override { return false; }
    bool waits_for_hosts() const override { return false; }
    NodeIndex nodes() const override { return 0; }
    void child_added(const ChildView&) override {}
    void child_not_started(NodeIndex) override {}
    void child_came(const ChildView&, NodeIndex, const std::vector<NodeRange>&) override {}
    void nodes_left(NodeRange, NodeIndex, const std::vector<NodeRange>&) override {}
    void nodes_came(const ChildView&, const std::vector<NodeRange>&) override {}
    void nodes_gone() override {}
    void child_lost(const ChildView& child) override { lost.push_back(child); }
    void child_ended(NodeIndex) override {}
    void peers_open(RoutePosition, uint32_t) override {}
    void no_peers() override {}
    void peer_lost(RoutePosition) override {}
};

/// Passes output on when the test lets it.
struct Above : Upstream {
    explicit Above(const any_io_executor& executor) : changed(executor) {}

    std::vector<FailureMessage> failures;
    std::vector<std::string> reports;
    std::vector<bool> fresh;
    std::vector<std::string> outputs;
    bool takes_output = true;
    Event changed;

    void failure(const FailureMessage& failure) override { failures.push_back(failure); }
    void notice(const NoticeMessage&) override {}
    void starts(const StartsMessage&) override {}
    void contacts(const ContactsMessage&) override {}
    void routed(const RoutedMessage&) override {}
    void gained(const MovedMessage&) override {}
    void waiting_changed() override {}
    void left(const NodesMessage&) override {}
    void pass(FrameType, std::string_view, const Report& report, bool is_fresh) override {
        reports.emplace_back(report.body);
        fresh.push_back(is_fresh);
    }
    awaitable<bool> pass_output(std::string payload, bool) override {
        while (!takes_output)
            co_await changed.wait();
        outputs.emplace_back(unwrap_report(payload)->body);
        co_return true;
    }
};

struct OneHost : Transport {
    std::shared_ptr<Cable> cable;  ///< null: it cannot be reached

    awaitable<Result<std::unique_ptr<ByteStream>>> start(StartRequest request) override {
        if (!cable)
            co_return Error{ErrorKind::unreachable, "connect", request.host.name, -1, "no", {}};
        co_return cable->end(Cable::Side::a);
    }
    std::string explain(const StartRequest&) override { return {}; }
};

/// A child with all that it needs, and its relay, which the test plays.
struct LoneChild {
    explicit LoneChild(bool reachable = true, uint64_t window = 64u << 10) {
        tree.policies.push = PushChoice::never;
        context.window = window;
        context.contacts = {{0, {}, 0}};
        context.user = &user;
        below.give(1, {child_node, block_size});
        if (!reachable) return;
        transport.cable = Cable::make(io.get_executor());
        relay = Peer::make(io.get_executor(), tasks, transport.cable->end(Cable::Side::b));
    }
    ~LoneChild() {
        child.close();
        if (relay) relay->link->close();
        if (!run_out(io)) std::abort();
    }
    LoneChild(const LoneChild&) = delete;
    LoneChild& operator=(const LoneChild&) = delete;

    template <class Done>
    bool until(const Done& done) {
        return run_until(io, done);
    }
    void settle() { launch::settle(io); }
    void run() { tasks.spawn(child.run()); }
    bool come_up() {
        run();
        relay->greet(build);
        return until([&] { return relay->count(FrameType::subtree) == 1; });
    }
    void report(uint64_t number, std::string_view body, FrameType type = FrameType::notice) {
        relay->send(type, wrap_report({child_node, number}, body));
    }

    asio::io_context io;
    OneHost transport;
    Above above{io.get_executor()};
    Owner owner{above.failures};
    User user;
    TreeMessage tree;
    ReportFilter reports{0, child_node + block_size};
    SubtreeMap below;
    BroadcastLog broadcasts;
    ChildContext context{
        io.get_executor(), transport, above,      tree, "the tree", build, {}, 0, {},
        reports,           below,     broadcasts, owner};
    Child child{context, 1,
                Block{child_node, {{"", "n1", 0, 1}, {"", "n2", 0, 1}, {"", "n3", 0, 1}}, 0}};
    TaskGroup tasks{io.get_executor()};
    std::shared_ptr<Peer> relay;
};

TEST(Child, one_that_greets_is_told_its_part_and_then_all_of_the_broadcast_log) {
    LoneChild at;
    for (const FrameType type : {FrameType::signal, FrameType::pause, FrameType::start_ranks})
        at.broadcasts.take(type, {at.broadcasts.last() + 1, "body"});
    ASSERT_TRUE(at.come_up());
    at.settle();
    EXPECT_EQ(at.relay->types(),
              (std::vector<FrameType>{FrameType::hello, FrameType::subtree, FrameType::signal,
                                      FrameType::pause, FrameType::start_ranks}));
    const auto part = SubtreeMessage::decode(at.relay->all(FrameType::subtree)[0]);
    ASSERT_TRUE(part);
    EXPECT_EQ(part->tree, "the tree");
    EXPECT_EQ(part->first, child_node);
    EXPECT_EQ(part->hosts, at.child.block().hosts);
    EXPECT_EQ(part->window, at.context.window);
    EXPECT_EQ(at.child.state(), ChildState::running);
}

/// A host that joins may lose its parent at once: until it knows that the start is over it would
/// take so long to notice that the head has given it up.
TEST(Child, one_that_greets_after_the_start_is_told_that_the_start_is_over) {
    for (const bool over : {false, true}) {
        LoneChild at;
        at.context.start_is_over = over;
        ASSERT_TRUE(at.come_up());
        at.settle();
        const auto pings = at.relay->all(FrameType::ping);
        ASSERT_EQ(pings.size(), over ? 1U : 0U);
        if (over) {
            EXPECT_FALSE(PingMessage::decode(pings[0])->starting);
        }
    }
}

TEST(Child, what_is_said_before_it_greets_is_there_once_and_in_order_when_it_has) {
    LoneChild at;
    at.child.send_user(FrameType::job, "first");
    at.run();
    at.settle();
    at.child.send_user(FrameType::assignment, "second");
    at.child.send_input("bytes");
    at.child.broadcast({FrameType::signal, 1, "is in the log"});
    ASSERT_TRUE(at.come_up());
    at.child.send_user(FrameType::modex, "third");
    ASSERT_TRUE(at.until([&] { return at.relay->count(FrameType::modex) == 1; }));
    at.settle();
    NeighbourChannel channel;
    std::vector<std::string> said;
    for (const Frame& frame : at.relay->heard)
        if (frame.type == FrameType::job || frame.type == FrameType::assignment ||
            frame.type == FrameType::modex)
            said.emplace_back(channel.take(frame.payload)->body);
    EXPECT_EQ(said, (std::vector<std::string>{"first", "second", "third"}));
    EXPECT_EQ(at.relay->count(FrameType::signal), 0u);
}

TEST(Child, one_that_cannot_be_started_is_told_of_and_ends) {
    LoneChild at(false);
    at.run();
    ASSERT_TRUE(at.until([&] { return at.child.ended(); }));
    ASSERT_EQ(at.above.failures.size(), 1u);
    EXPECT_EQ(at.above.failures[0].node, child_node);
    EXPECT_FALSE(at.above.failures[0].was_up);
    EXPECT_EQ(at.above.failures[0].error.from, "") << "it was tried from the head";
    EXPECT_EQ(at.owner.told_before_start_ended, 0u) << "a report may be closed once it has failed";
    EXPECT_TRUE(at.user.lost.empty());  // nobody is: the node starts the others
    EXPECT_FALSE(at.child.has_come());
}

TEST(Child, one_that_a_relay_cannot_start_is_told_with_the_host_of_that_relay) {
    LoneChild at(false);
    at.context.host = "n0";
    at.run();
    ASSERT_TRUE(at.until([&] { return at.child.ended(); }));
    ASSERT_EQ(at.above.failures.size(), 1u);
    EXPECT_EQ(at.above.failures[0].error.from, "n0");
}

/// Its relay may run though its start fails in the end, as nothing that it says comes through.
TEST(Child, one_that_is_being_started_has_not_come_by_a_link_of_its_own) {
    LoneChild at;
    at.run();
    at.settle();
    ASSERT_TRUE(at.child.is_being_started());
    const auto cable = Cable::make(at.io.get_executor(), true);
    const auto link =
        std::make_shared<FramedLink>(at.io.get_executor(), cable->end(Cable::Side::a));
    AttachMessage message;
    message.node = child_node;
    message.size = block_size;
    EXPECT_FALSE(at.child.attach(link, message));
    EXPECT_FALSE(at.child.has_come());
    at.relay->link->close();
    ASSERT_TRUE(at.until([&] { return at.child.ended(); }));
    ASSERT_EQ(at.above.failures.size(), 1u);
    EXPECT_FALSE(at.above.failures[0].was_up);
    EXPECT_TRUE(at.above.failures[0].below.empty()) << "these are started another way";
    EXPECT_FALSE(at.child.has_come());
    link->close();
}

/// A node that calls, by a link of its own.
AttachedMessage answer_to(LoneChild& at, const AttachMessage& message) {
    const auto cable = Cable::make(at.io.get_executor(), true);
    const auto node = Peer::make(at.io.get_executor(), at.tasks, cable->end(Cable::Side::b));
    auto link = std::make_shared<FramedLink>(at.io.get_executor(), cable->end(Cable::Side::a));
    at.tasks.spawn(write_to_end(link));
    link->send_magic();
    node->link->send_magic();
    EXPECT_TRUE(at.child.attach(std::move(link), message));
    EXPECT_TRUE(at.until([&] { return node->count(FrameType::attached) == 1; }));
    const auto answer = AttachedMessage::decode(node->all(FrameType::attached)[0]);
    node->link->close();
    return answer.value_or(AttachedMessage());
}

/// It was below this node before, as another Child, and has the numbers of that time.
TEST(Child, one_that_comes_back_counts_anew_until_it_has_heard_that) {
    LoneChild at;
    at.context.contacts.front().port = 1;
    at.child.expect(Child::Origin::orphan);
    at.run();
    AttachMessage message;
    message.node = child_node;
    message.size = block_size;
    message.received = ReceivedCount{7, 1};
    const auto first = answer_to(at, message);
    EXPECT_FALSE(first.received);
    EXPECT_FALSE(answer_to(at, message).received) << "the first answer was lost";
    message.count = first.count;
    message.received = ReceivedCount{};
    EXPECT_EQ(answer_to(at, message).received, ReceivedCount{});
}

TEST(Child, one_whose_start_the_end_of_the_job_cuts_short_is_no_failure) {
    std::stop_source stop;
    LoneChild at;
    at.context.stop = stop.get_token();
    at.run();
    at.settle();
    stop.request_stop();
    ASSERT_TRUE(at.until([&] { return at.child.ended(); }));
    EXPECT_TRUE(at.above.failures.empty());
}

TEST(Child, one_that_is_cut_off_while_it_greets_is_no_loss) {
    LoneChild at;
    at.run();
    at.settle();
    at.child.close();
    at.relay->greet(build);
    ASSERT_TRUE(at.until([&] { return at.child.ended(); }));
    EXPECT_TRUE(at.above.failures.empty());
    EXPECT_EQ(at.relay->count(FrameType::subtree), 0u);
}

TEST(Child, a_report_goes_on_whenever_it_comes_and_is_new_once) {
    LoneChild at;
    ASSERT_TRUE(at.come_up());
    at.report(1, "one");
    at.report(1, "one");
    at.report(3, "three");  // the second was lost with a link, and comes again, and so does this
    at.report(2, "two");
    at.report(3, "three");
    ASSERT_TRUE(at.until([&] { return at.above.reports.size() == 4; }));
    EXPECT_EQ(at.above.reports, (std::vector<std::string>{"one", "one", "two", "three"}));
    EXPECT_EQ(at.above.fresh, (std::vector<bool>{true, false, true, true}));
    EXPECT_EQ(at.owner.confirmed, 4u);
}

TEST(Child, one_whose_link_ends_is_lost_with_those_below_it) {
    LoneChild at;
    ASSERT_TRUE(at.come_up());
    at.report(1, "the last word");
    at.relay->send(FrameType::output, wrap_report({child_node, 1}, "the last line"));
    at.relay->link->finish_writing();
    at.settle();
    at.relay->link->close();
    ASSERT_TRUE(at.until([&] { return at.child.ended(); }));
    EXPECT_EQ(at.above.reports, std::vector<std::string>{"the last word"});
    EXPECT_EQ(at.above.outputs, std::vector<std::string>{"the last line"});
    ASSERT_EQ(at.above.failures.size(), 1u);
    EXPECT_TRUE(at.above.failures[0].was_up);
    EXPECT_EQ(at.above.failures[0].below, (std::vector<NodeRange>{{2, 2}}));
    EXPECT_EQ(at.owner.losses.size(), 1u);
    EXPECT_EQ(at.user.lost.size(), 1u);
}

struct Trespass {
    FrameType type;
    NodeIndex origin;
    std::string body;
};

TEST(Child, one_that_reports_for_a_node_below_another_child_is_lost) {
    const FailureMessage failure{child_node, true, {{foreign_node, 1}}, {}};
    const std::vector<Trespass> rows{
        {FrameType::nodes_up, foreign_node, NodesMessage{{foreign_node}}.encode()},
        {FrameType::nodes_up, child_node, NodesMessage{{foreign_node}}.encode()},
        {FrameType::output, foreign_node, OutputMessage{0, Stream::out, "false"}.encode_for({})},
        {FrameType::failure, child_node, failure.encode()},
        {FrameType::left, child_node, NodesMessage{{foreign_node}}.encode()},
        {FrameType::notice, child_node, NoticeMessage{foreign_node, false, "false"}.encode()},
    };
    for (const Trespass& row : rows) {
        LoneChild at;
        ASSERT_TRUE(at.come_up());
        at.relay->send(row.type, wrap_report({row.origin, 1}, row.body));
        ASSERT_TRUE(at.until([&] { return at.child.ended(); }));
        EXPECT_TRUE(at.above.reports.empty());
        EXPECT_TRUE(at.above.outputs.empty());
        ASSERT_EQ(at.above.failures.size(), 1u);
        expect_told({"not below it"}, at.above.failures[0].error.cause);
    }
}

/// A host that could not be started is tried again under its number.
TEST(Child, one_that_reports_again_of_a_node_which_is_elsewhere_since_stays) {
    LoneChild at;
    ASSERT_TRUE(at.come_up());
    const NodeIndex below = child_node + 1;
    const FailureMessage failure{below, false, {}, {}};
    at.report(1, failure.encode(), FrameType::failure);
    ASSERT_TRUE(at.until([&] { return at.above.reports.size() == 1; }));
    at.owner.foreign.push_back(below);
    at.report(1, failure.encode(), FrameType::failure);
    ASSERT_TRUE(at.until([&] { return at.above.reports.size() == 2; }));
    EXPECT_EQ(at.child.state(), ChildState::running);
}

TEST(Child, one_that_sends_more_output_than_it_may_is_lost) {
    constexpr uint64_t window = 1024;
    LoneChild at(true, window);
    ASSERT_TRUE(at.come_up());
    at.above.takes_output = false;
    for (uint64_t number = 1; number <= 3; ++number)
        at.relay->send(FrameType::output,
                       wrap_report({child_node, number}, std::string(window / 2 + 1, 'x')));
    ASSERT_TRUE(at.until([&] { return at.child.state() == ChildState::lost; }));
    at.above.takes_output = true;
    at.above.changed.notify();
    ASSERT_TRUE(at.until([&] { return at.child.ended(); }));
    EXPECT_EQ(at.above.outputs.size(), 2u);
    ASSERT_EQ(at.above.failures.size(), 1u);
    expect_told({"more output"}, at.above.failures[0].error.cause);
}

/// Its parent before, which had none any more, may have told it to.
TEST(Child, one_that_leaves_before_the_end_is_lost) {
    LoneChild at;
    ASSERT_TRUE(at.come_up());
    at.report(1, "the last word");
    at.relay->send(FrameType::bye, {});
    ASSERT_TRUE(at.until([&] { return at.child.ended(); }));
    EXPECT_EQ(at.above.reports, std::vector<std::string>{"the last word"});
    ASSERT_EQ(at.above.failures.size(), 1u);
    expect_told({"left"}, at.above.failures[0].error.cause);
    EXPECT_EQ(at.user.lost.size(), 1u);
}

TEST(Child, one_that_is_dismissed_may_leave) {
    LoneChild at;
    ASSERT_TRUE(at.come_up());
    at.child.dismiss();
    at.relay->send(FrameType::bye, {});
    ASSERT_TRUE(at.until([&] { return at.child.state() == ChildState::leaving; }));
    at.relay->link->close();
    ASSERT_TRUE(at.until([&] { return at.child.ended(); }));
    EXPECT_TRUE(at.above.failures.empty());
}

TEST(Child, one_that_was_dismissed_and_says_nothing_any_more_is_lost) {
    LoneChild at;
    ASSERT_TRUE(at.come_up());
    at.child.dismiss();
    ASSERT_TRUE(at.until([&] { return at.relay->count(FrameType::dismissed) == 1; }));
    EXPECT_EQ(at.child.state(), ChildState::dismissed);
    EXPECT_FALSE(at.child.is_linked()) << "nobody is handed to it any more";
    at.relay->link->close();
    ASSERT_TRUE(at.until([&] { return at.child.ended(); }));
    EXPECT_EQ(at.above.failures.size(), 1u);
}

/// It asks for its place in the routing tree, and another relay runs in its place.
TEST(Child, one_that_is_retired_hears_that_it_is_dismissed) {
    LoneChild at;
    ASSERT_TRUE(at.come_up());
    at.child.retire();
    at.child.dismiss();
    EXPECT_TRUE(at.until([&] { return at.relay->count(FrameType::dismissed) == 1; }));
    EXPECT_EQ(at.child.state(), ChildState::retired);
    at.relay->link->close();
    ASSERT_TRUE(at.until([&] { return at.child.ended(); }));
    EXPECT_TRUE(at.above.failures.empty());
}

TEST(Child, one_that_says_bye_at_the_end_is_no_loss) {
    LoneChild at;
    at.broadcasts.take(FrameType::finish, {1, {}});
    ASSERT_TRUE(at.come_up());
    at.relay->send(FrameType::bye, {});
    at.relay->link->finish_writing();
    at.settle();
    at.relay->link->close();
    ASSERT_TRUE(at.until([&] { return at.child.ended(); }));
    EXPECT_TRUE(at.above.failures.empty());
    EXPECT_TRUE(at.user.lost.empty());
}

TEST(Child, one_that_talks_nonsense_is_lost) {
    for (const std::string payload : {"", "\x01", "\x07\x01 of no node of this block"}) {
        LoneChild at;
        ASSERT_TRUE(at.come_up());
        at.relay->send(FrameType::notice, payload);
        ASSERT_TRUE(at.until([&] { return at.child.ended(); })) << payload;
        ASSERT_EQ(at.above.failures.size(), 1u);
        EXPECT_EQ(at.above.failures[0].error.cause, "its relay sent a malformed message (notice)");
        EXPECT_TRUE(at.relay->ended);
    }
}

TEST(Child, what_a_retired_one_says_does_not_count) {
    LoneChild at;
    ASSERT_TRUE(at.come_up());
    at.report(1, "before");
    ASSERT_TRUE(at.until([&] { return at.above.reports.size() == 1; }));
    at.child.retire();
    NeighbourChannel channel;
    at.report(2, "after");
    at.relay->send(FrameType::modex, channel.keep(FrameType::modex, "after"));
    at.settle();
    const size_t told = at.relay->heard.size();
    at.child.send(FrameType::ack, "not for it any more");
    at.child.send_user(FrameType::modex, "not for it any more");
    for (int beat = 0; beat < 100; ++beat)
        at.child.beat(false, 0);  // it may be silent
    at.settle();
    EXPECT_EQ(at.above.reports, std::vector<std::string>{"before"});
    EXPECT_TRUE(at.user.from_below.empty());
    EXPECT_EQ(at.relay->heard.size(), told);
    EXPECT_EQ(at.child.state(), ChildState::retired);
    at.relay->link->close();
    ASSERT_TRUE(at.until([&] { return at.child.ended(); }));
    EXPECT_TRUE(at.above.failures.empty());
}

TEST(Child, one_that_has_ended_is_not_spoken_to) {
    LoneChild at;
    ASSERT_TRUE(at.come_up());
    at.relay->link->close();
    ASSERT_TRUE(at.until([&] { return at.child.ended(); }));
    const LinkCounts before = at.child.counts();
    at.child.send(FrameType::ack, "x");
    at.child.send_user(FrameType::modex, "x");
    at.child.send_user(FrameType::modex, [] { return std::optional<std::string>("x"); });
    at.child.send_input("x");
    at.child.announce(false);
    at.child.beat(false, 0);
    at.settle();
    EXPECT_EQ(at.child.counts(), before);
}

/// How many beats of silence it bears, where each comes so late.
int borne_beats(bool starting, int late) {
    LoneChild at;
    EXPECT_TRUE(at.come_up());
    at.relay->send(FrameType::ping, PingMessage{starting, {}}.encode());
    at.settle();
    at.child.announce(starting);
    at.relay->send(FrameType::ping, PingMessage{starting, {}}.encode());
    at.settle();
    int beats = 0;
    while (at.child.state() == ChildState::running && beats < 1000) {
        at.child.beat(starting, late);
        at.settle();
        ++beats;
    }
    EXPECT_EQ(at.above.failures.size(), 1u);
    EXPECT_EQ(at.above.failures.at(0).error.cause, "the host no longer answers");
    return beats;
}

TEST(Child, a_silent_one_is_given_up_after_the_beats_that_it_may_take) {
    // The first of them hears what came before.
    EXPECT_EQ(borne_beats(false, 0), patience::neighbour + 1);
    EXPECT_EQ(borne_beats(true, 0), patience::at_start + 1);
}

TEST(Child, a_silent_one_is_excused_where_this_process_was_away_but_not_for_ever) {
    EXPECT_GE(borne_beats(false, 2), patience::excused);
    EXPECT_LT(borne_beats(false, 2), patience::excused + 20);
}

TEST(Child, one_that_says_a_word_now_and_then_is_not_given_up) {
    LoneChild at;
    ASSERT_TRUE(at.come_up());
    at.child.announce(false);
    for (int beat = 0; beat < 50; ++beat) {
        if (beat % (patience::neighbour - 1) == 0)
            at.relay->send(FrameType::ping, PingMessage{false, {}}.encode());
        at.settle();
        at.child.beat(false, 0);
    }
    EXPECT_EQ(at.child.state(), ChildState::running);
}

TEST(Child, credit_goes_back_when_output_has_been_passed_on) {
    constexpr uint64_t window = 1000;
    const std::string line(300, 'x');
    LoneChild at(true, window);
    ASSERT_TRUE(at.come_up());
    at.above.takes_output = false;
    at.relay->link->add_credit(window);
    for (uint64_t i = 1; i <= 3; ++i)
        at.relay->send(FrameType::output, wrap_report({child_node, i}, line));
    at.settle();
    EXPECT_EQ(at.relay->count(FrameType::credit), 0u);
    EXPECT_TRUE(at.child.output_pending());
    at.above.takes_output = true;
    at.above.changed.notify();
    ASSERT_TRUE(at.until([&] { return at.above.outputs.size() == 3; }));
    at.settle();
    // Of the first two, which were half of the window; the third is still owed.
    const auto credit = [&at] {
        uint64_t sum = 0;
        for (const std::string& payload : at.relay->all(FrameType::credit))
            sum += *decode_number(payload);
        return sum;
    };
    EXPECT_EQ(credit(), 2 * wrap_report({child_node, 1}, line).size());
    EXPECT_FALSE(at.child.output_pending());
    at.relay->send(FrameType::output, wrap_report({child_node, 4}, line));
    ASSERT_TRUE(at.until([&] { return at.above.outputs.size() == 4; }));
    at.settle();
    EXPECT_EQ(credit(), 4 * wrap_report({child_node, 1}, line).size());
}

/// The child may send no more than its link began with, though one that came later may.
TEST(Child, credit_goes_back_by_the_window_with_which_the_link_began) {
    constexpr uint64_t window = 1000;
    LoneChild at(true, window);
    ASSERT_TRUE(at.come_up());
    at.context.window = 4 * window;
    at.relay->link->add_credit(window);
    at.relay->send(FrameType::output, wrap_report({child_node, 1}, std::string(window, 'x')));
    ASSERT_TRUE(at.until([&] { return at.above.outputs.size() == 1; }));
    at.settle();
    EXPECT_EQ(at.relay->count(FrameType::credit), 1u);
}

/// Made as the other side acknowledges what came before.
TEST(Child, what_is_large_is_made_when_there_is_room) {
    constexpr size_t size = 100u << 10;
    constexpr int messages = 20;
    LoneChild at;
    ASSERT_TRUE(at.come_up());
    int made = 0;
    at.child.send_user(FrameType::modex, [&made]() -> std::optional<std::string> {
        if (made == messages) return std::nullopt;
        ++made;
        return std::string(size, 'x');
    });
    at.child.send_user(FrameType::modex, "then");
    at.settle();
    EXPECT_LE(made, static_cast<int>(most_on_the_way / size) + 1);
    for (uint64_t had = 0; had < messages + 1;) {
        had = at.relay->count(FrameType::modex);
        at.relay->send(FrameType::ping, PingMessage{false, {had, 0}}.encode());
        ASSERT_TRUE(
            at.until([&] { return had > messages || at.relay->count(FrameType::modex) > had; }));
    }
    EXPECT_EQ(made, messages);
    EXPECT_EQ(at.relay->heard.back().payload.substr(1), "then");
}

}  // namespace
}  // namespace launch
