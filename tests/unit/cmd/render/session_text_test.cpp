// SPDX-License-Identifier: MIT
#include "cmd/render/session_text.hpp"

#include <csignal>
#include <gtest/gtest.h>

#include "cmd/command.hpp"
#include "cmd/session/job_words.hpp"
#include "tests/unit/golden.hpp"

namespace launch {
namespace {

SessionState sample() {
    SessionState state;
    state.name = "work";
    state.pid = 77;
    state.began = 1000;
    state.topology = "kary:8";
    state.hosts = {{{"", "n1", 0, 2}, 1, true, false, 2, "", 0},
                   {{"", "n2", 0, 2}, 2, true, false, 0, "", 0},
                   {{"", "n3", 0, 2}, 3, true, false, 0, "", 0},
                   {{"", "n4", 0, 2}, 4, false, false, 0, "n4: connect: no route", 0}};
    state.jobs = {{JobNumber{12}, "./app \x1b[1m", 2, {1}, {"n1"}, 1100, 99, ""}};
    return state;
}

TEST(SessionText, ListsSessionsInColumns) {
    expect_golden("a session", sessions_text({sample()}, 1060));
}

TEST(SessionText, FoldsHostsThatAreAlike) {
    const auto text = session_text(sample(), 1000 + 3 * 3600);
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    expect_told({"n[2-3]", "kary:8", "3 h"}, text);
}

TEST(SessionText, SaysWhatBecomesOfHosts) {
    auto state = sample();
    state.hosts[0].leaves = true;
    state.hosts[2] = {{"", "n3", 0, 2}, 3, false, false, 0, "n4: connect: no route", 1012};
    state.hosts[3].next_try = 1009;
    const auto text = session_text(state, 1005);
    expect_told({"n1", "leaves", "n[3-4]", "4 s"}, text);
    state.hosts[3].next_try = 0;
    expect_golden("n4 is tried now", session_text(state, 1005));
}

TEST(SessionText, SaysHowLongAJobRuns) {
    const struct {
        uint64_t seconds;
        const char* age;
    } rows[] = {
        {0, "0 s"}, {119, "119 s"}, {120, "2 min"}, {7260, "2 h 1 min"}, {172800, "2 days"}};
    for (const auto& row : rows) {
        const auto text = jobs_text({sample()}, 1100 + row.seconds);
        EXPECT_NE(text.find("work     12   2      n1     " + std::string(row.age) + " "),
                  std::string::npos)
            << text;
    }
}

/// Every key, where it is there and where it is not.
TEST(SessionText, IsJsonForScripts) {
    auto state = sample();
    state.hosts[0].leaves = true;
    state.hosts[3].next_try = 1009;
    state.hosts.erase(state.hosts.begin() + 1, state.hosts.begin() + 3);
    state.jobs.push_back({JobNumber{13}, "./b", 4, {1, 4}, {"n1", "n4"}, 1200, 98, "/run/out"});
    expect_golden("every key", sessions_json({state}));
}

TEST(SessionText, IsJsonOfRanksForScripts) {
    SessionAnswer answer;
    answer.survey.ranks = {{2, 3, 4711, 'S', 1250, 5000}, {1, 0, 4712, 'R', 10, 800}};
    expect_golden("every key", ranks_json(sample(), answer));
}

Result<SignalRequest> request_of(const std::vector<std::string>& words) {
    const auto asked = read_command(*find_command("", {"signal"}), words);
    if (!asked) return asked.error();
    const auto job = read_job_number(*asked);
    if (!job) return job.error();
    auto order = read_signal_words(*asked);
    if (!order) return order.error();
    return SignalRequest{*job, *std::move(order)};
}

TEST(SignalRequest, TakesNumbersAndNames) {
    const struct {
        const char* word;
        int signal;
    } rows[] = {{"TERM", SIGTERM}, {"sigusr1", SIGUSR1}, {"SIGKILL", SIGKILL}, {"9", 9}};
    for (const auto& row : rows) {
        const auto request = request_of({"3", row.word});
        ASSERT_TRUE(request) << row.word;
        EXPECT_EQ(request->order, SignalMessage{row.signal});
        EXPECT_EQ(request->job, JobNumber{3});
    }
    const auto some = request_of({"3", "USR1", "0-3,7"});
    ASSERT_TRUE(some);
    EXPECT_EQ(some->order, (SignalMessage{SIGUSR1, {{0, 4, 1}, {7, 1, 1}}}));
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{},
                                               {"3"},
                                               {"0", "TERM"},
                                               {"x", "TERM"},
                                               {"3", "NOSUCH"},
                                               {"3", "0"},
                                               {"3", "9999"},
                                               {"3", "TERM", "all"},
                                               {"3", "TERM", ""},
                                               {"3", "TERM", "1", "2"}})
        EXPECT_FALSE(request_of(words));
}

}  // namespace
}  // namespace launch
