// SPDX-License-Identifier: MIT
// Two jobs at one node, a relay whose parent the test plays.

#include "core/run/node_jobs.hpp"

#include <algorithm>
#include <csignal>
#include <gtest/gtest.h>

#include "core/process/descendants.hpp"
#include "tests/unit/core/harness/lone_relay.hpp"

namespace launch {
namespace {

constexpr JobNumber second_job{2};
constexpr JobNumber unknown_job{9};

std::vector<std::pair<JobNumber, std::string>> by_job(const Peer& parent, FrameType type) {
    std::vector<std::pair<JobNumber, std::string>> said;
    for (const std::string& payload : parent.all(type)) {
        const auto report = unwrap_report(payload);
        const auto text = report ? unwrap_job(report->body) : std::nullopt;
        if (text) said.emplace_back(text->job, text->body);
    }
    return said;
}

TEST(NodeJobs, a_frame_goes_to_the_job_whose_number_it_carries) {
    LoneRelay relay;
    ASSERT_TRUE(relay.come_up({"one", "two"}));
    relay.keep(FrameType::modex, second_job, "for two");
    relay.keep(FrameType::modex, unknown_job, "for nobody");
    relay.keep(FrameType::modex, first_job, "for one");
    ASSERT_TRUE(relay.until([&] { return !relay.part("one")->from_above.empty(); }));
    EXPECT_EQ(relay.part("one")->from_above, std::vector<std::string>{"for one"});
    EXPECT_EQ(relay.part("two")->from_above, std::vector<std::string>{"for two"});
    EXPECT_FALSE(relay.parent->ended);
}

TEST(NodeJobs, a_report_carries_the_number_of_its_job) {
    LoneRelay relay;
    ASSERT_TRUE(relay.come_up({"one", "two"}));
    FaultMessage fault;
    for (const std::string job : {"two", "one"}) {
        relay.part(job)->host.modex_notice(job);
        relay.part(job)->host.modex_trace(0, job);
        fault.text = job;
        relay.part(job)->host.modex_fault(fault);
    }
    ASSERT_TRUE(relay.until([&] { return relay.parent->count(FrameType::output) == 2; }));
    const auto faults = by_job(*relay.parent, FrameType::fault);
    ASSERT_EQ(faults.size(), 2u);
    EXPECT_EQ(faults[0].first, second_job);
    EXPECT_EQ(FaultMessage::decode(faults[0].second)->text, "two");
    EXPECT_EQ(faults[1].first, first_job);
    const auto outputs = by_job(*relay.parent, FrameType::output);
    for (const auto& [job, body] : outputs)
        EXPECT_EQ(OutputMessage::decode(body)->bytes, job == first_job ? "one\n" : "two\n");
    std::vector<std::pair<JobNumber, std::string>> notices;
    for (const std::string& payload : relay.parent->all(FrameType::notice)) {
        const auto notice = NoticeMessage::decode(unwrap_report(payload)->body);
        notices.emplace_back(notice->job, notice->text);
    }
    EXPECT_EQ(notices, (std::vector<std::pair<JobNumber, std::string>>{{second_job, "two"},
                                                                       {first_job, "one"}}));
}

TEST(NodeJobs, a_neighbours_word_goes_up_and_down_with_the_number_of_its_job) {
    World world({1, "flat", milliseconds{0}, {"one", "two"}});
    world.start();
    ASSERT_TRUE(world.until([&] { return world.part(1, "two") != nullptr; }));
    for (const std::string job : {"two", "one"}) {
        world.part(0, job)->host.modex_down(1, "to " + job);
        world.part(1, job)->host.modex_up("of " + job);
    }
    ASSERT_TRUE(world.until([&] {
        return !world.part(1, "one")->from_above.empty() &&
               !world.part(0, "one")->from_below.empty();
    }));
    for (const std::string job : {"two", "one"}) {
        EXPECT_EQ(world.part(1, job)->from_above, std::vector<std::string>{"to " + job});
        EXPECT_EQ(world.part(0, job)->from_below[1], std::vector<std::string>{"of " + job});
    }
    EXPECT_TRUE(world.finish());
}

/// It is told to those that run, and to those below them.
TEST(NodeJobs, a_job_may_begin_on_a_tree_that_runs) {
    World world({3, "chain", milliseconds{0}, {"one"}});
    world.start();
    ASSERT_TRUE(world.until([&] { return world.all_up(); }));
    world.begin("two");
    ASSERT_TRUE(world.until([&] {
        const FakeModex* last = world.part(3, "two");
        return last != nullptr && last->started_here;
    }));
    world.part(3, "two")->host.modex_up("of the last");
    ASSERT_TRUE(world.until([&] { return !world.part(2, "two")->from_below.empty(); }));
    EXPECT_EQ(world.part(2, "two")->from_below[3], std::vector<std::string>{"of the last"});
    EXPECT_TRUE(world.part(2, "one")->from_below.empty());
    EXPECT_TRUE(world.finish());
}

/// The tree stays, and others on it go on; what it wrote last is there before its end is told.
TEST(NodeJobs, a_job_may_end_on_a_tree_that_runs_on) {
    World world({3, "chain", milliseconds{0}, {"one", "two"}});
    world.start();
    const auto has = [&](NodeIndex node, const std::string& job) {
        const FakeModex* part = world.part(node, job);
        return part != nullptr && part->started_here;
    };
    ASSERT_TRUE(world.until([&] { return has(3, "one") && has(3, "two"); }));
    world.part(3, "one")->host.modex_trace(2, "the last word");
    world.end("one");
    ASSERT_TRUE(world.until([&] { return world.job("one").nodes_ended.size() == 4; }));
    EXPECT_EQ(world.job("one").outputs[2], "the last word\n");
    for (const NodeIndex node : {0U, 1U, 2U, 3U}) {
        EXPECT_EQ(world.part(node, "one"), nullptr) << node;
        EXPECT_TRUE(has(node, "two")) << node;
    }
    EXPECT_TRUE(world.job("two").nodes_ended.empty());
    world.part(2, "two")->host.modex_down(3, "goes on");
    ASSERT_TRUE(world.until([&] { return !world.part(3, "two")->from_above.empty(); }));
    EXPECT_TRUE(world.finish());
}

/// Each leaves nothing: what all nodes were told of it is forgotten, and its number is not used
/// again.
TEST(NodeJobs, one_job_after_another_runs_on_the_same_tree) {
    World world({2, "chain", milliseconds{0}, {"first"}});
    world.start();
    ASSERT_TRUE(world.until([&] { return world.all_up(); }));
    for (int i = 0; i < 100; ++i) {
        const std::string id = "job " + std::to_string(i);
        world.begin(id);
        ASSERT_TRUE(world.until([&] { return world.part(2, id) != nullptr; })) << i;
        world.end(id);
        ASSERT_TRUE(world.until([&] { return world.job(id).nodes_ended.size() == 3; })) << i;
        EXPECT_EQ(world.part(2, id), nullptr) << i;
    }
    EXPECT_TRUE(world.finish());
}

/// A relay whose ranks are processes.
LoneRelay with_processes() {
    return LoneRelay(1, milliseconds{0}, SimulatedRun::Time::real);
}

/// How often the end of the second job was told.
size_t ends_told(const LoneRelay& relay) {
    const auto outputs = by_job(*relay.parent, FrameType::output);
    return static_cast<size_t>(std::count_if(outputs.begin(), outputs.end(), [](const auto& said) {
        const auto message = OutputMessage::decode(said.second);
        return said.first == second_job && message && message->stream == Stream::end;
    }));
}

void begin_second(LoneRelay& relay, const std::vector<std::string>& argv,
                  StdinTarget::Kind input = StdinTarget::Kind::none) {
    JobMessage job = idle_job("run");
    job.policies.stdin_target.kind = input;
    job.programs.front().argv = argv;
    relay.keep(FrameType::job, second_job,
               JobStart{job.encode(), idle_assignment(1).encode()}.encode());
}

bool end_second(LoneRelay& relay) {
    relay.broadcast(FrameType::end_job, wrap_job(second_job, encode_number(0)));
    return relay.until([&] { return relay.part("run") == nullptr && ends_told(relay) > 0; });
}

TEST(NodeJobs, the_end_is_told_with_that_of_the_last_rank_and_not_again) {
    LoneRelay relay = with_processes();
    ASSERT_TRUE(relay.come_up({"one"}));
    begin_second(relay, {"true"});
    ASSERT_TRUE(relay.until([&] { return ends_told(relay) > 0; }));
    EXPECT_EQ(by_job(*relay.parent, FrameType::exits).size(), 1u);
    ASSERT_TRUE(end_second(relay));
    relay.settle();
    EXPECT_EQ(ends_told(relay), 1u);
}

/// It was on its way to another parent when the head placed ranks of the job here.
TEST(NodeJobs, a_job_that_a_node_never_heard_of_has_ended_there) {
    LoneRelay relay = with_processes();
    ASSERT_TRUE(relay.come_up({"one"}));
    for (int i = 0; i < 2; ++i)
        relay.broadcast(FrameType::end_job, wrap_job(second_job, encode_number(0)));
    ASSERT_TRUE(relay.until([&] { return ends_told(relay) > 0; }));
    relay.settle();
    EXPECT_EQ(ends_told(relay), 1u);
    EXPECT_FALSE(relay.parent->ended);
}

TEST(NodeJobs, the_first_job_has_ended_at_a_node_of_the_start_that_never_heard_of_it) {
    LoneRelay relay;
    relay.tree.with_job = false;
    relay.greet();
    relay.give_part(1u << 20);
    ASSERT_TRUE(relay.until([&] { return relay.parent->count(FrameType::nodes_up) > 0; }));
    relay.broadcast(FrameType::end_job, wrap_job(second_job, encode_number(0)));
    ASSERT_TRUE(relay.until([&] { return ends_told(relay) > 0; }));
}

TEST(NodeJobs, a_node_that_joins_says_nothing_of_jobs_that_ended_before) {
    LoneRelay relay;
    relay.tree.with_job = false;
    relay.tree.nodes = 0;
    relay.greet();
    relay.give_part(1u << 20);
    ASSERT_TRUE(relay.until([&] { return relay.parent->count(FrameType::nodes_up) > 0; }));
    relay.broadcast(FrameType::end_job, wrap_job(second_job, encode_number(0)));
    relay.settle();
    EXPECT_EQ(ends_told(relay), 0u);
}

/// A node that finds another parent may get the order first.
TEST(NodeJobs, no_rank_starts_that_is_placed_after_the_order_to_end) {
    LoneRelay relay = with_processes();
    ASSERT_TRUE(relay.come_up({"one"}));
    const std::string job = idle_job("run").encode();
    relay.keep(FrameType::job, second_job, JobStart{job, {}}.encode());
    ASSERT_TRUE(relay.until([&] { return relay.part("run") != nullptr; }));
    relay.broadcast(FrameType::terminate, wrap_job(second_job, encode_number(5000)));
    relay.keep(FrameType::assignment, second_job, idle_assignment(1).encode());
    ASSERT_TRUE(relay.until([&] { return relay.parent->count(FrameType::exits) > 0; }));
    const auto exits = ExitsMessage::decode(by_job(*relay.parent, FrameType::exits)[0].second);
    ASSERT_TRUE(exits);
    EXPECT_EQ(to_string(exits->exits.front().status),
              to_string(ExitStatus{ExitStatus::Kind::signalled, SIGTERM}));
    ASSERT_TRUE(end_second(relay));
}

TEST(NodeJobs, what_a_rank_left_behind_runs_until_the_job_ends) {
    become_subreaper();  // as a relay's process is
    LoneRelay relay = with_processes();
    ASSERT_TRUE(relay.come_up({"one"}));
    begin_second(relay, {"sh", "-c", "sleep 1000 >/dev/null 2>&1 &"});
    ASSERT_TRUE(relay.until([&] { return relay.parent->count(FrameType::exits) > 0; }));
    relay.settle();
    EXPECT_EQ(ends_told(relay), 0u);
    ASSERT_TRUE(end_second(relay));
    EXPECT_EQ(ends_told(relay), 1u);
}

/// How often it was said that nobody reads the input of the second job, when its rank has ended.
size_t input_refusals(const std::string& program, StdinTarget::Kind input) {
    LoneRelay relay = with_processes();
    EXPECT_TRUE(relay.come_up({"one"}));
    begin_second(relay, {program}, input);
    EXPECT_TRUE(relay.until([&] { return relay.parent->count(FrameType::exits) > 0; }));
    relay.settle();
    return relay.parent->count(FrameType::input_refused);
}

TEST(NodeJobs, only_whose_ranks_were_to_read_input_says_that_they_do_not) {
    EXPECT_EQ(input_refusals("true", StdinTarget::Kind::none), 0u);
    EXPECT_EQ(input_refusals("true", StdinTarget::Kind::all), 1u);
    EXPECT_EQ(input_refusals("/no/such", StdinTarget::Kind::all), 1u);
}

/// A job at the head whose output is read late. Who runs it there forgets it when it has ended.
struct ReadLate : HeadJob {
    explicit ReadLate(const any_io_executor& executor) : HeadJob(executor), changed(executor) {}

    bool reads = false;
    bool has_ended = false;
    bool told_too_late = false;
    Event changed;

    awaitable<bool> output(OutputMessage) override {
        told_too_late = told_too_late || has_ended;
        while (!reads)
            co_await changed.wait();
        co_return true;
    }
    awaitable<void> ended(NodeIndex) override {
        has_ended = true;
        co_return;
    }
    bool ranks_have_ended() const {
        return std::any_of(reports.begin(), reports.end(), [](const JobReport& report) {
            return std::holds_alternative<ExitsMessage>(report);
        });
    }
};

/// Which ends only there, as where a lone process spawns more.
TEST(NodeJobs, at_the_head_the_end_is_the_last_that_is_told) {
    WorldSettings settings{1};
    settings.time = SimulatedRun::Time::real;
    World world(settings);
    world.network.unreachable = {1};
    ReadLate job(world.io.get_executor());
    world.reap();
    world.start();
    JobPlacement placement;
    placement.ranks = placement.nodes = 1;
    placement.program_ranks = {1};
    placement.may_leave_wdir = true;
    NodeJob& part = world.head().begin(second_job, idle_job("run"), job, job);
    for (const char* line : {"one", "two", "three"})
        world.head_process().part("run")->host.modex_trace(0, line);
    ASSERT_TRUE(part.deal({placement.encode(), {{0, HostRank{0}, {{0, 1, 1}}}}, {}, 0}));
    ASSERT_TRUE(world.until([&] { return job.ranks_have_ended(); }));
    world.io.poll();
    EXPECT_FALSE(job.has_ended);
    world.head().end(second_job);
    world.io.poll();
    job.reads = true;
    job.changed.notify();
    EXPECT_TRUE(world.until([&] { return job.has_ended; }));
    world.io.poll();
    EXPECT_FALSE(job.told_too_late);
    world.head().forget(second_job);
    EXPECT_TRUE(world.finish());
}

TEST(NodeJobs, a_job_that_is_told_again_goes_on) {
    LoneRelay relay;
    ASSERT_TRUE(relay.come_up({"one", "two"}));
    relay.keep(FrameType::modex, second_job, "before");
    relay.begin(second_job, "two");
    relay.keep(FrameType::modex, second_job, "after");
    ASSERT_TRUE(relay.until([&] { return relay.part("two")->from_above.size() == 2; }));
}

/// The parent repeats the assignment where it believed this node elsewhere for a while.
TEST(NodeJobs, ranks_that_are_named_again_say_again_that_none_reads_input) {
    LoneRelay relay = with_processes();
    ASSERT_TRUE(relay.come_up({"one"}));
    begin_second(relay, {"true"}, StdinTarget::Kind::all);
    const auto refusals = [&] { return relay.parent->count(FrameType::input_refused); };
    ASSERT_TRUE(relay.until([&] { return refusals() == 1; }));
    relay.keep(FrameType::assignment, second_job, idle_assignment(1).encode());
    EXPECT_TRUE(relay.until([&] { return refusals() == 2; }));
    EXPECT_FALSE(relay.parent->ended);
}

struct Nonsense {
    const char* name;
    FrameType type;
    std::string body;
};

TEST(NodeJobs, what_makes_no_sense_is_refused) {
    const std::string half =
        wrap_job(JobNumber{7}, JobStart{idle_job("x").encode(), {}}.encode()).substr(0, 20);
    const std::vector<Nonsense> all = {
        {"a job without a number", FrameType::job, ""},
        {"half a job", FrameType::job, half},
        {"the number of all", FrameType::job,
         wrap_job(all_jobs, JobStart{idle_job("x").encode(), {}}.encode())},
        {"what no parent says", FrameType::released, ""},
    };
    for (const Nonsense& each : all) {
        LoneRelay relay;
        ASSERT_TRUE(relay.come_up());
        relay.keep(each.type, each.body);
        EXPECT_TRUE(relay.until([&] { return relay.parent->ended; })) << each.name;
    }
}

TEST(NodeJobs, who_asks_for_processes_is_answered_and_nobody_else) {
    LoneRelay relay;
    ASSERT_TRUE(relay.come_up({"one", "two"}));
    relay.part("two")->host.modex_spawn({0, 5, 0, {{{{"a"}, 1, {}, {}}}, {}}});
    ASSERT_TRUE(relay.until([&] { return relay.parent->count(FrameType::spawn) == 1; }));
    const auto asked = by_job(*relay.parent, FrameType::spawn);
    EXPECT_EQ(asked[0].first, second_job);
    const auto wanted = SpawnMessage::decode(asked[0].second);
    ASSERT_TRUE(wanted);
    EXPECT_EQ(wanted->node, 1U);
    EXPECT_EQ(wanted->ticket, 5U);
    const SpawnedMessage of_another_node{2, 5, "job.1", 1, {}, {}};
    const SpawnedMessage answer{1, 5, "job.2", 1, {}, {}};
    relay.broadcast(FrameType::spawned, wrap_job(second_job, of_another_node.encode()));
    relay.broadcast(FrameType::spawned, wrap_job(unknown_job, answer.encode()));
    relay.broadcast(FrameType::spawned, wrap_job(second_job, answer.encode()));
    ASSERT_TRUE(relay.until([&] { return !relay.part("two")->answers.empty(); }));
    EXPECT_EQ(relay.part("two")->answers, std::vector<SpawnedMessage>{answer});
    EXPECT_TRUE(relay.part("one")->answers.empty());
    EXPECT_FALSE(relay.parent->ended);
}

/// Of one that a signal ends before its ranks have started those are told of.
std::vector<JobNumber> ended_by(JobNumber ordered) {
    LoneRelay relay;
    relay.greet();
    relay.give_part(1u << 20);
    for (const uint32_t number : {1U, 2U}) {
        JobMessage job = idle_job(number == 1 ? "one" : "two");
        job.policies.start_early = false;  // its ranks wait for the head's word
        auto assignment = idle_assignment(1);
        auto placement = *JobPlacement::decode(assignment.job);
        placement.nodes = 2;
        assignment.job = placement.encode();
        relay.keep(FrameType::job, JobNumber{number}, JobStart{job.encode(), {}}.encode());
        relay.keep(FrameType::assignment, JobNumber{number}, assignment.encode());
    }
    EXPECT_TRUE(relay.until([&] { return relay.part("two"); }));
    relay.settle();
    relay.broadcast(FrameType::signal, wrap_job(ordered, encode_number(SIGTERM)));
    relay.broadcast(FrameType::start_ranks, wrap_job(ordered, encode_number(0)));
    relay.settle();
    std::vector<JobNumber> ended;
    for (const auto& [job, body] : by_job(*relay.parent, FrameType::exits)) {
        EXPECT_EQ(ExitsMessage::decode(body)->exits.at(0).status.kind, ExitStatus::Kind::signalled);
        ended.push_back(job);
    }
    return ended;
}

/// The second job, of four ranks here that do nothing until a signal ends them.
void begin_sleepers(LoneRelay& relay, bool early) {
    JobMessage job = idle_job("run");
    job.policies.start_early = early;
    job.programs.front() = {{"sleep", "1000"}, 4, {}, {}};
    auto assignment = idle_assignment(1);
    auto placement = *JobPlacement::decode(assignment.job);
    placement.ranks = 4;
    placement.program_ranks = {4};
    placement.nodes = early ? 1 : 2;
    assignment.job = placement.encode();
    assignment.parts.front().runs = {{0, 4, 1}};
    relay.keep(FrameType::job, second_job, JobStart{job.encode(), assignment.encode()}.encode());
}

/// Ranks of the second job that have ended, and by which signal.
std::map<uint32_t, int> ended_ranks(const LoneRelay& relay) {
    std::map<uint32_t, int> ended;
    for (const auto& [job, body] : by_job(*relay.parent, FrameType::exits)) {
        const auto message = ExitsMessage::decode(body);
        for (const RankExit& exit : message->exits)
            if (exit.status.kind == ExitStatus::Kind::signalled)
                ended[exit.rank] = exit.status.value;
    }
    return ended;
}

TEST(NodeJobs, a_signal_may_be_for_some_ranks) {
    LoneRelay relay = with_processes();
    ASSERT_TRUE(relay.come_up({"one"}));
    begin_sleepers(relay, true);
    ASSERT_TRUE(relay.until([&] { return relay.part("run") && relay.part("run")->running == 4; }));
    const auto order = [&](const SignalMessage& message) {
        relay.broadcast(FrameType::signal, wrap_job(second_job, message.encode()));
    };
    order({SIGUSR1, {{1, 1, 1}, {3, 1, 1}}});
    order({SIGTERM, {{4, 100, 1}}});  // of other nodes
    ASSERT_TRUE(relay.until([&] { return ended_ranks(relay).size() == 2; }));
    order({SIGUSR2, {{0, 2, 1}}});
    ASSERT_TRUE(relay.until([&] { return ended_ranks(relay).size() == 3; }));
    order({SIGTERM});
    ASSERT_TRUE(relay.until([&] { return ended_ranks(relay).size() == 4; }));
    EXPECT_EQ(ended_ranks(relay),
              (std::map<uint32_t, int>{{0, SIGUSR2}, {1, SIGUSR1}, {2, SIGTERM}, {3, SIGUSR1}}));
}

/// It is kept for them if it is to end them, and the others start.
TEST(NodeJobs, a_signal_may_come_for_some_ranks_before_they_start) {
    LoneRelay relay = with_processes();
    ASSERT_TRUE(relay.come_up({"one"}));
    begin_sleepers(relay, false);
    ASSERT_TRUE(relay.until([&] { return relay.part("run") != nullptr; }));
    relay.settle();
    for (const int signal : {SIGUSR1, SIGTERM})
        relay.broadcast(FrameType::signal,
                        wrap_job(second_job, SignalMessage{signal, {{2, 1, 1}}}.encode()));
    relay.settle();
    EXPECT_TRUE(ended_ranks(relay).empty());
    relay.broadcast(FrameType::start_ranks, wrap_job(second_job, encode_number(0)));
    ASSERT_TRUE(relay.until([&] { return !ended_ranks(relay).empty(); }));
    EXPECT_EQ(ended_ranks(relay), (std::map<uint32_t, int>{{2, SIGTERM}}));
    relay.broadcast(FrameType::signal, wrap_job(second_job, encode_number(SIGKILL)));
    EXPECT_TRUE(relay.until([&] { return ended_ranks(relay).size() == 4; }));
}

TEST(NodeJobs, an_order_is_for_one_job_or_for_all) {
    EXPECT_EQ(ended_by(first_job), std::vector<JobNumber>{first_job});
    EXPECT_EQ(ended_by(second_job), std::vector<JobNumber>{second_job});
    EXPECT_EQ(ended_by(all_jobs), (std::vector<JobNumber>{first_job, second_job}));
    EXPECT_EQ(ended_by(unknown_job), std::vector<JobNumber>{});
}

}  // namespace
}  // namespace launch
