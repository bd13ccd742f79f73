// SPDX-License-Identifier: MIT
#include "core/wire/messages.hpp"

#include <gtest/gtest.h>

#include "core/wire/stage_messages.hpp"
#include "core/wire/tree_message.hpp"

namespace launch {
namespace {

JobMessage sample_job() {
    JobMessage job;
    job.job_id = "j1";
    job.programs = {{{"./app", "", "a b"}, 3, {"A=1", "B="}, "/tmp"}, {{"x"}, 1, {}, ""}};
    job.policies.output.label = "[%r] ";
    job.policies.output.color_err = true;
    job.policies.output.prompts_out = true;
    job.policies.output.files = {"/o/%r", "/e/%r", true, false, true};
    job.policies.output.pty = PtyChoice::each;
    job.policies.output.window = {50, 132};
    job.policies.pmi = PmiChoice::pmix;
    job.policies.modex = ModexChoice::on_demand;
    job.policies.stdin_target = {StdinTarget::Kind::rank, 2};
    job.policies.kill_grace = milliseconds{1234};
    job.policies.core_dir = "/cores";
    job.env = {"PATH=/bin", "EMPTY="};
    job.limits = {027, {{Resource::core_file, 0}, {Resource::stack, unlimited}}};
    job.wdir = "/home/u";
    job.placed_late = true;
    job.stage = {
        {{"/a/big", "big", 1ull << 40, 0755}, {"/a/x", "/scratch/x", 0, 0600}}, true, "f0"};
    job.programs[1].staged = 1;
    job.log = "pmi:trace";
    job.output_window = 1ull << 33;
    return job;
}

TEST(Messages, a_job_comes_back) {
    const JobMessage job = sample_job();
    const auto back = JobMessage::decode(job.encode());
    ASSERT_TRUE(back);
    EXPECT_EQ(back->programs, job.programs);
    EXPECT_EQ(back->policies, job.policies);
    EXPECT_EQ(back->env, job.env);
    EXPECT_EQ(back->limits, job.limits);
    EXPECT_EQ(back->stage, job.stage);
    EXPECT_TRUE(back->placed_late);
    EXPECT_EQ(back->output_window, job.output_window);
    EXPECT_EQ(back->encode(), job.encode());
}

TEST(Messages, a_program_that_is_none_of_the_staged_files_is_refused) {
    JobMessage job = sample_job();
    job.programs[1].staged = 2;
    EXPECT_FALSE(JobMessage::decode(job.encode()));
}

TEST(Messages, segments_and_what_is_wanted_come_back) {
    const std::string bytes("\0x\xff", 3);
    const std::string encoded = SegmentMessage{1ull << 40, 77, bytes}.encode();
    const auto segment = SegmentMessage::decode(encoded);
    ASSERT_TRUE(segment);
    EXPECT_EQ(segment->number, 1ull << 40);
    EXPECT_EQ(segment->checksum, 77u);
    EXPECT_EQ(segment->bytes, bytes);
    EXPECT_FALSE(SegmentMessage::decode(encoded.substr(0, 3)));
    for (const WantedMessage& wanted : {WantedMessage{3, 19, true}, WantedMessage{3, 3, false}})
        EXPECT_EQ(WantedMessage::decode(wanted.encode()), wanted);
    EXPECT_FALSE(WantedMessage::decode(WantedMessage{3, 2, false}.encode()));
}

TEST(Messages, a_tree_comes_back) {
    TreeMessage tree;
    tree.id = "t1";
    tree.nodes = 900;
    tree.topology = "kary:3";
    tree.routing = "hypercube";
    tree.transport = {"ssh", "/c", true, false, true};
    tree.policies.push = PushChoice::never;
    tree.policies.liveness = milliseconds{1234};
    tree.policies.links = {LinkChoice::direct, {5000, 5100}, true};
    tree.launch_path = "/opt/launch";
    tree.launch_owners = {7, 1001};
    tree.with_job = false;
    const auto back = TreeMessage::decode(tree.encode());
    ASSERT_TRUE(back);
    EXPECT_EQ(back->transport, tree.transport);
    EXPECT_EQ(back->policies, tree.policies);
    EXPECT_EQ(back->nodes, tree.nodes);
    EXPECT_EQ(back->launch_path, tree.launch_path);
    EXPECT_EQ(back->launch_owners, tree.launch_owners);
    EXPECT_FALSE(back->with_job);
    EXPECT_EQ(back->encode(), tree.encode());
}

TEST(Messages, what_belongs_to_a_job_says_to_which) {
    for (const auto job : {first_job, JobNumber{300}, all_jobs}) {
        const std::string text = wrap_job(job, "body");
        const auto back = unwrap_job(text);
        ASSERT_TRUE(back);
        EXPECT_EQ(back->job, job);
        EXPECT_EQ(back->body, "body");
    }
    EXPECT_FALSE(unwrap_job(""));
    EXPECT_FALSE(unwrap_job(std::string(5, '\xff')));
    const OutputMessage output{5, Stream::err, "bytes"};
    EXPECT_EQ(output.encode_for(JobNumber{7}), wrap_job(JobNumber{7}, output.encode()));
}

/// A few bytes name as many hosts as one likes.
TEST(Messages, a_subtree_has_as_many_hosts_as_it_says) {
    SubtreeMessage subtree;
    subtree.hosts = {{"", "n1", 0, 1}, {"", "n2", 0, 1}, {"", "n3", 0, 1}};
    const std::string text = subtree.encode();
    ASSERT_TRUE(SubtreeMessage::decode(text));
    std::string other = text;
    other.replace(other.find("n[1-3]"), 6, "n[1-9]");
    EXPECT_FALSE(SubtreeMessage::decode(other));
}

TEST(Messages, a_subtree_comes_back) {
    SubtreeMessage subtree;
    subtree.tree = "the tree";
    subtree.window = 5;
    subtree.first = 7;
    subtree.hosts = {{"al", "n1", 22, 2}, {"", "n2", 0, 1}, {"", "::1", 2222, 4}};
    subtree.key = {std::string("\0key", 4), {{0, 4'000'000}, {7, 3'999'993}}};
    const auto back = SubtreeMessage::decode(subtree.encode());
    ASSERT_TRUE(back);
    EXPECT_EQ(back->key.key, subtree.key.key);
    EXPECT_EQ(back->key.lineage, subtree.key.lineage);
    EXPECT_EQ(back->first, 7u);
    EXPECT_EQ(back->hosts, subtree.hosts);
    EXPECT_EQ(back->tree, subtree.tree);
    EXPECT_EQ(back->window, 5u);
}

/// Who hears of a failure goes through the nodes that are lost with it.
TEST(Messages, a_failure_of_more_nodes_than_there_can_be_is_refused) {
    FailureMessage failure{3, true, {{7, 3'999'999}, {6, 1}}, {}};
    EXPECT_TRUE(FailureMessage::decode(failure.encode()));
    failure.below.push_back({0, UINT32_MAX});
    EXPECT_FALSE(FailureMessage::decode(failure.encode()));
}

TEST(Messages, a_failure_tells_any_rank) {
    for (const int rank : {-1, 0, INT32_MAX, -2, INT32_MIN}) {
        const auto back =
            FailureMessage::decode(FailureMessage{3, true, {}, {.rank = rank}}.encode());
        ASSERT_TRUE(back) << rank;
        EXPECT_EQ(back->error.rank, rank);
    }
}

TEST(Messages, ranges_of_nodes_that_there_cannot_be_are_refused) {
    const auto told = [](std::vector<NodeRange> below) {
        const FailureMessage failure{3, true, std::move(below), {}};
        return FailureMessage::decode(failure.encode()).has_value();
    };
    EXPECT_TRUE(told({{4, 1}, {UINT32_MAX - 1, 1}}));
    EXPECT_FALSE(told({{4, 0}})) << "none";
    EXPECT_FALSE(told({{4, 1}, {0, 0}}));
    EXPECT_FALSE(told({{UINT32_MAX, 1}})) << "its end is no number";
    EXPECT_FALSE(told({{1, UINT32_MAX}})) << "more than there can be";
}

TEST(Messages, news_come_back) {
    EXPECT_EQ(NodesMessage::decode(NodesMessage{{1, 5, 900}}.encode())->nodes,
              (std::vector<NodeIndex>{1, 5, 900}));
    FailureMessage failure{
        3, true, {{4, 1}, {6, 3}}, {ErrorKind::unreachable, "connect", "n3", 2, "refused", "try"}};
    failure.error.from = "n1";
    failure.restarted = {{9, 2}};
    failure.restarted_as = 5;
    failure.generation = 4;
    const auto back = FailureMessage::decode(failure.encode());
    ASSERT_TRUE(back);
    EXPECT_EQ(back->error, failure.error);
    EXPECT_EQ(back->count_below(), 4u);
    EXPECT_EQ(back->restarted, failure.restarted);
    EXPECT_EQ(back->restarted_as, 5u);
    EXPECT_EQ(back->generation, 4u);
    const ExitsMessage exits{{{1, {ExitStatus::Kind::signalled, 9, ExitStatus::Stage::none}},
                              {2, {ExitStatus::Kind::stuck, 70'000, {}}, "state D"},
                              {3, {ExitStatus::Kind::exited, -1, {}}}}};
    const auto exits_back = ExitsMessage::decode(exits.encode());
    ASSERT_TRUE(exits_back);
    EXPECT_EQ(exits_back->exits[1].status, exits.exits[1].status);
    EXPECT_EQ(exits_back->exits[2].status, exits.exits[2].status);
    EXPECT_EQ(exits_back->exits[1].detail, exits.exits[1].detail);
    const std::string output = OutputMessage{5, Stream::err, std::string_view("a\0b", 3)}.encode();
    EXPECT_EQ(OutputMessage::decode(output)->bytes, std::string_view("a\0b", 3));
}

TEST(Messages, what_keeps_ranks_from_starting_comes_back) {
    const ExitStatus status{ExitStatus::Kind::not_started, 2, ExitStatus::Stage::interpreter};
    const auto back = UnreadyMessage::decode(
        UnreadyMessage{7, {{0, {status, "its interpreter"}}, {3, {{}, {}}}}}.encode());
    ASSERT_TRUE(back);
    EXPECT_EQ(back->node, 7u);
    ASSERT_EQ(back->programs.size(), 2u);
    EXPECT_EQ(back->programs[0].why.status, status);
    EXPECT_EQ(back->programs[0].why.detail, "its interpreter");
    EXPECT_EQ(back->programs[1].index, 3u);
}

TEST(Messages, a_fault_comes_back) {
    using Kind = FaultMessage::Kind;
    const FaultMessage rows[] = {
        {7, Kind::aborted, -3, "sorry", "hint"},
        {0, Kind::protocol, 0, "said rubbish", ""},
        {UINT32_MAX, Kind::unfinished, INT32_MIN, "", ""},
        {1, Kind::absent, INT32_MAX, "", ""},
        {2, Kind::no_service, 1, std::string("\0\n", 2), "install it"},
    };
    for (const FaultMessage& fault : rows) {
        const auto back = FaultMessage::decode(fault.encode());
        ASSERT_TRUE(back);
        EXPECT_EQ(back->rank, fault.rank);
        EXPECT_EQ(back->kind, fault.kind);
        EXPECT_EQ(back->value, fault.value);
        EXPECT_EQ(back->text, fault.text);
        EXPECT_EQ(back->hint, fault.hint);
    }
    std::string other_kind = FaultMessage{}.encode();
    other_kind[1] = static_cast<char>(Kind::last) + 1;
    EXPECT_FALSE(FaultMessage::decode(other_kind));
}

/// Whatever prefix of a message arrives, and whatever follows it, is refused.
template <class Message>
void expect_exact(const Message& message) {
    const std::string bytes = message.encode();
    for (size_t size = 0; size < bytes.size(); ++size)
        EXPECT_FALSE(Message::decode(std::string_view(bytes).substr(0, size))) << size;
    EXPECT_FALSE(Message::decode(bytes + "x"));
}

TEST(Messages, cut_or_longer_bytes_are_refused) {
    expect_exact(sample_job());
    expect_exact(NodesMessage{{1, 2}});
    expect_exact(ExitsMessage{{{1, {}}}});
    expect_exact(UnreadyMessage{7, {{0, {{}, "why"}}}});
    expect_exact(NoticeMessage{1, true, "text", NoticeMessage::Topic::direct_link});
    expect_exact(FailureMessage{3, true, {{4, 1}, {6, 3}}, {}});
    expect_exact(FaultMessage{3, FaultMessage::Kind::aborted, -1, "text", "hint"});
}

}  // namespace
}  // namespace launch
