// SPDX-License-Identifier: MIT
// What of the corpus is written here: messages of a form that their encoders make, so that a search
// begins with inputs that are read to their end. Where an encoder has changed this test fails, and
// with LAUNCH_WRITE_SEEDS=1 it writes them anew.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

#include "core/base/codec.hpp"
#include "core/wire/assignment.hpp"
#include "core/wire/frame.hpp"
#include "core/wire/input_messages.hpp"
#include "core/wire/messages.hpp"
#include "core/wire/session_messages.hpp"
#include "core/wire/signal_message.hpp"
#include "core/wire/stats.hpp"
#include "core/wire/survey.hpp"

namespace launch {
namespace {

using namespace std::chrono_literals;

struct Seed {
    const char* name;  ///< folder and file
    std::string bytes;
    bool is_read;  ///< by the decoder that it is meant for
};

JobMessage job() {
    JobMessage job;
    job.job_id = "j";
    job.programs = {{{"a", "b"}, 2, {"X=1"}, "/w"}};
    job.env = {"P=/bin"};
    job.wdir = "/w";
    return job;
}

SurveyMessage survey() {
    SurveyMessage message{7, {2, 5}, {{2, 3, 4711, 'S', 1250, 5000}}};
    message.stacks.add({"app", {"main", "solve", "read"}, {}}, {3, 4});
    message.stacks.add({"app", {"main", "solve"}, "stopped"}, {9});
    return message;
}

AssignmentMessage assignment() {
    return {"job",
            {{2, HostRank{1}, {{3, 2, 1}}}, {5, HostRank{0}, {{0, 3, 1}, {9, 2, 4}}}},
            {{2, 2}, {5, 1}},
            9};
}

JobPlacement placement() {
    return {5, 2, 7, {4, 1}, "map", "(vector,(0,2,3))", {"n1", "n[1-2]"}};
}

UnreadyMessage unready(NodeIndex node) {
    UnreadyMessage message;
    message.node = node;
    message.programs = {{0, {{ExitStatus::Kind::not_started, 2, ExitStatus::Stage::chdir}, "why"}}};
    return message;
}

FailureMessage failure(NodeIndex node, bool was_up) {
    Error error{ErrorKind::unreachable, "connect", "n", -1, "refused", "try"};
    return {node, was_up, {}, std::move(error)};
}

/// As record.cpp and relay.cpp read them: kinds, or frames, one after another.
struct Step {
    uint64_t kind;
    std::string body;
};
std::string steps(bool late, const std::vector<Step>& all) {
    Encoder out;
    out.flag(late);
    for (const auto& [kind, body] : all)
        out.number(kind).text(body);
    return out.take();
}
std::string frame(FrameType type, const std::string& payload) {
    return Encoder{}.number(static_cast<uint64_t>(type)).number(0).text(payload).take();
}

/// Two children ask, the second when some of it has come, and more than once.
std::string input_of_a_job() {
    const auto grant = [](uint64_t child, const InputGrant& said) {
        const auto type = static_cast<uint64_t>(FrameType::input_wanted);
        return Encoder{}.number(type).number(child).text(said.encode()).take();
    };
    return grant(0, {0, 100}) + frame(FrameType::input, InputPiece{0, "first"}.encode()) +
           frame(FrameType::input, InputPiece{3, "st, then"}.encode()) + grant(1, {2, 70}) +
           frame(FrameType::input, InputPiece{11, {}}.encode()) + grant(0, {11, 200}) +
           grant(1, {11, 200}) + frame(FrameType::input_refused, {});
}

std::string run_of_a_job() {
    const ExitsMessage exits{{{1, {}, {}}, {0, {ExitStatus::Kind::exited, 9, {}}, {}}}};
    return steps(false, {{0, NodesMessage{{1, 2, 3, 4, 5}}.encode()},
                         {1, NodesMessage{{1, 2, 3}}.encode()},
                         {3, exits.encode()},
                         {2, failure(5, true).encode()}});
}

std::string late_and_unready() {
    return steps(true, {{0, NodesMessage{{1, 2, 3, 4, 5}}.encode()},
                        {5, unready(2).encode()},
                        {11, unready(3).encode()}});
}

template <class Message>
Seed whole(const char* name, const Message& message) {
    const std::string bytes = message.encode();
    return {name, bytes, Message::decode(bytes).has_value()};
}

std::vector<Seed> seeds() {
    return {
        whole("frames/job", job()),
        whole("frames/assignment", assignment()),
        whole("frames/placement", placement()),
        whole("frames/unready", unready(2)),
        whole("frames/notice", NoticeMessage{3, false, "no folder there"}),
        whole("frames/stats",
              NodeStats{
                  .node = 3, .private_kib = 2000, .proportional_kib = 2600, .resident_kib = 9000}),
        whole("frames/survey", survey()),
        whole("frames/survey_order", SurveyOrder{7, SurveyOrder::Subject::stacks, {{0, 4, 1}}, 5s}),
        whole("frames/signal", SignalMessage{10, {{0, 4, 1}, {7, 1, 1}}}),
        {"frames/signal_request",
         encode(SessionRequest(SignalRequest{JobNumber{3}, {10, {{0, 4, 1}}}})), true},
        whole("frames/input_grant", InputGrant{5, 262'149}),
        {"relay/input", input_of_a_job(), true},
        {"relay/assignment", frame(FrameType::assignment, assignment().encode()), true},
        {"record/run", run_of_a_job(), true},
        {"record/unready_twice", late_and_unready(), true},
    };
}

std::string read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(CorpusSeeds, are_what_the_encoders_make) {
    const bool write =
        std::getenv("LAUNCH_WRITE_SEEDS") != nullptr;  // NOLINT(concurrency-mt-unsafe)
    for (const Seed& seed : seeds()) {
        const auto path = std::filesystem::path(CORPUS) / seed.name;
        EXPECT_TRUE(seed.is_read) << seed.name;
        if (write) std::ofstream(path, std::ios::binary) << seed.bytes;
        EXPECT_EQ(read_file(path), seed.bytes)
            << seed.name << " has another form: run this test with LAUNCH_WRITE_SEEDS=1";
    }
}

}  // namespace
}  // namespace launch
