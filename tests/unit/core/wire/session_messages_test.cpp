// SPDX-License-Identifier: MIT
#include "core/wire/session_messages.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

SessionState sample() {
    SessionState state;
    state.name = "work";
    state.pid = 4711;
    state.began = 1234;
    state.topology = "kary:8";
    state.transport = "ssh";
    state.hosts = {{{"u", "n1", 22, 4}, 1, true, true, 5, "", 0},
                   {{"", "::1", 0, 1}, 9, false, false, 0, "no route", 1700, true}};
    state.jobs = {{JobNumber{7}, "./app -x", 3, {1, 2}, {"n1", "::1"}, 1300, 99, "/tmp/out"}};
    state.waiting = 6;
    return state;
}

TEST(SessionMessages, a_state_comes_back) {
    const auto state = sample();
    const std::string bytes = state.encode();
    EXPECT_EQ(SessionState::decode(bytes), state);
    for (size_t size = 0; size < bytes.size(); ++size)
        EXPECT_FALSE(SessionState::decode(bytes.substr(0, size))) << size;
    EXPECT_FALSE(SessionState::decode(bytes + "x"));
}

TEST(SessionMessages, each_request_comes_back_as_itself) {
    const ReserveRequest wanted{{{1, 2}, {900, 1}}, true};
    const auto reserve = decode_session_request(encode(SessionRequest(wanted)));
    ASSERT_TRUE(reserve && std::holds_alternative<ReserveRequest>(*reserve));
    EXPECT_EQ(std::get<ReserveRequest>(*reserve).parts, wanted.parts);
    EXPECT_TRUE(std::get<ReserveRequest>(*reserve).share);

    const SignalRequest order{JobNumber{3}, {15, {{0, 4, 1}}}};
    const auto signal = decode_session_request(encode(SessionRequest(order)));
    ASSERT_TRUE(signal && std::holds_alternative<SignalRequest>(*signal));
    EXPECT_EQ(std::get<SignalRequest>(*signal).job, order.job);
    EXPECT_EQ(std::get<SignalRequest>(*signal).order, order.order);

    const auto wait = decode_session_request(encode(SessionRequest(WaitRequest{{3, 900}})));
    ASSERT_TRUE(wait && std::holds_alternative<WaitRequest>(*wait));
    EXPECT_EQ(std::get<WaitRequest>(*wait).wished, (std::vector<NodeIndex>{3, 900}));
    const auto log = decode_session_request(encode(SessionRequest(LogRequest{})));
    ASSERT_TRUE(log && std::holds_alternative<LogRequest>(*log));
    const DetachRequest file{JobNumber{5}, "/tmp/out"};
    const auto detach = decode_session_request(encode(SessionRequest(file)));
    ASSERT_TRUE(detach && std::holds_alternative<DetachRequest>(*detach));
    EXPECT_EQ(std::get<DetachRequest>(*detach).job, file.job);
    EXPECT_EQ(std::get<DetachRequest>(*detach).output, file.output);

    const auto ended = decode_session_request(encode(SessionRequest(EndedRequest{143})));
    ASSERT_TRUE(ended && std::holds_alternative<EndedRequest>(*ended));
    EXPECT_EQ(std::get<EndedRequest>(*ended).exit_code, 143);

    const auto output = decode_session_request(encode(SessionRequest(OutputRequest{JobNumber{6}})));
    ASSERT_TRUE(output && std::holds_alternative<OutputRequest>(*output));
    EXPECT_EQ(std::get<OutputRequest>(*output).job, JobNumber{6});

    const auto outcome =
        decode_session_request(encode(SessionRequest(OutcomeRequest{JobNumber{7}})));
    ASSERT_TRUE(outcome && std::holds_alternative<OutcomeRequest>(*outcome));
    EXPECT_EQ(std::get<OutcomeRequest>(*outcome).job, JobNumber{7});

    EXPECT_FALSE(decode_session_request(""));
    EXPECT_FALSE(decode_session_request("\x08"));
}

TEST(SessionMessages, hosts_to_come_and_go_come_back) {
    const std::vector<Host> hosts{{"u", "n1", 22, 4}, {"", "::1", 0, 1}};
    const auto add = decode_session_request(encode(SessionRequest(AddRequest{hosts, true})));
    ASSERT_TRUE(add);
    EXPECT_EQ(std::get<AddRequest>(*add).hosts, hosts);
    EXPECT_TRUE(std::get<AddRequest>(*add).allow_missing);
    const RemoveRequest request{hosts, RemoveRequest::When::now};
    const auto bytes = encode(SessionRequest(request));
    const auto remove = decode_session_request(bytes);
    ASSERT_TRUE(remove);
    EXPECT_EQ(std::get<RemoveRequest>(*remove).hosts, hosts);
    EXPECT_EQ(std::get<RemoveRequest>(*remove).when, RemoveRequest::When::now);
    for (size_t size = 0; size < bytes.size(); ++size)
        EXPECT_FALSE(decode_session_request(bytes.substr(0, size))) << size;
}

TEST(SessionMessages, an_answer_comes_back) {
    const SessionAnswer answer{SessionAnswer::Kind::no_room, {"one", ""}, JobNumber{9}, 255};
    const auto back = SessionAnswer::decode(answer.encode());
    ASSERT_TRUE(back);
    EXPECT_EQ(back->kind, answer.kind);
    EXPECT_EQ(back->lines, answer.lines);
    EXPECT_EQ(back->job, answer.job);
    EXPECT_EQ(back->exit_code, answer.exit_code);
    EXPECT_FALSE(SessionAnswer::decode("\x05"));
}

TEST(SessionAnswer, carries_the_answer_to_a_question_about_ranks) {
    SessionAnswer answer;
    answer.survey = {7, {3, 4}, {{3, 0, 100, 'R', 1500, 2048}, {3, 1, 101, 'S', 0, 0}}, {}};
    answer.silent = {5, 6};
    const auto decoded = SessionAnswer::decode(answer.encode());
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->survey, answer.survey);
    EXPECT_EQ(decoded->silent, answer.silent);
    const std::string text = answer.encode();
    EXPECT_FALSE(SessionAnswer::decode(text.substr(0, text.size() - 1)));
}

TEST(SessionRequest, asks_about_ranks) {
    const SurveyOrder order{0, SurveyOrder::Subject::stacks, {{0, 4, 1}}, std::chrono::seconds{5}};
    const auto decoded = decode_session_request(encode(SurveyRequest{JobNumber{12}, order}));
    ASSERT_TRUE(decoded && std::holds_alternative<SurveyRequest>(*decoded));
    EXPECT_EQ(std::get<SurveyRequest>(*decoded).job, JobNumber{12});
    EXPECT_EQ(std::get<SurveyRequest>(*decoded).order, order);
}

}  // namespace
}  // namespace launch
