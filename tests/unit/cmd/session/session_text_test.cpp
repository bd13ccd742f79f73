#include "cmd/session/session_text.hpp"

#include <algorithm>
#include <csignal>
#include <gtest/gtest.h>

#include "cmd/session/signal_name.hpp"

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
    EXPECT_EQ(sessions_text({sample()}, 1060),
              "SESSION  HOSTS  SLOTS  USED  JOBS  AGE\n"
              "work     3/4    6      2     1     60s\n");
}

TEST(SessionText, FoldsHostsThatAreAlike) {
    const auto text = session_text(sample(), 1000 + 3 * 3600);
    EXPECT_TRUE(
        text.starts_with("session work: 3 hosts of 4 up, 2 of 6 slots used, tree kary:8, "
                         "since 3h, process 77\n"))
        << text;
    EXPECT_NE(text.find("  n[2-3]: 0 of 2 slots used\n"), std::string::npos) << text;
    EXPECT_NE(text.find("  n4: is being started again: n4: connect: no route\n"), std::string::npos)
        << text;
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(SessionText, SaysWhatBecomesOfHosts) {
    auto state = sample();
    state.hosts[0].leaves = true;
    state.hosts[2] = {{"", "n3", 0, 2}, 3, false, false, 0, "n4: connect: no route", 1012};
    state.hosts[3].next_try = 1009;
    const auto text = session_text(state, 1005);
    EXPECT_NE(text.find("  n1: 2 of 2 slots used, leaves when idle\n"), std::string::npos) << text;
    EXPECT_NE(text.find("  n[3-4]: down: n4: connect: no route; tried again in 4s\n"),
              std::string::npos)
        << text;
    state.hosts[3].next_try = 0;
    EXPECT_NE(session_text(state, 1005).find("  n4: is being started again: n4: connect"),
              std::string::npos);
}

TEST(SessionText, SaysHowLongAJobRuns) {
    const struct {
        uint64_t seconds;
        const char* age;
    } rows[] = {{0, "0s"}, {119, "119s"}, {120, "2m"}, {7200, "2h"}, {172800, "2d"}};
    for (const auto& row : rows) {
        const auto text = jobs_text({sample()}, 1100 + row.seconds);
        EXPECT_NE(text.find("work     12   2      n1     " + std::string(row.age) + " "),
                  std::string::npos)
            << text;
    }
}

std::string in_one_line(const std::string& json) {
    std::string line;
    for (size_t i = 0; i < json.size(); ++i) {
        if (json[i] != '\n') {
            line += json[i];
            continue;
        }
        i = std::min(json.find_first_not_of(' ', i + 1), json.size()) - 1;
        if (line.ends_with(',')) line += ' ';
    }
    return line;
}

/// Every key, where it is there and where it is not.
TEST(SessionText, IsJsonForScripts) {
    auto state = sample();
    state.hosts[0].leaves = true;
    state.hosts[3].next_try = 1009;
    state.hosts.erase(state.hosts.begin() + 1, state.hosts.begin() + 3);
    state.jobs.push_back({JobNumber{13}, "./b", 4, {1, 4}, {"n1", "n4"}, 1200, 98, "/run/out"});
    EXPECT_EQ(in_one_line(sessions_json({state})),
              "{\"version\": 1, \"sessions\": [{\"session\": \"work\", \"pid\": 77, "
              "\"began\": 1000, \"topology\": \"kary:8\", \"hosts\": ["
              "{\"host\": \"n1:2\", \"up\": true, \"slots\": 2, \"used\": 2, \"leaves\": true}, "
              "{\"host\": \"n4:2\", \"up\": false, \"slots\": 2, \"used\": 0, "
              "\"why\": \"n4: connect: no route\", \"next_try\": 1009}], \"jobs\": ["
              "{\"job\": 12, \"command\": \"./app \\u001b[1m\", \"ranks\": 2, "
              "\"hosts\": [\"n1\"], \"began\": 1100, \"client\": 99}, "
              "{\"job\": 13, \"command\": \"./b\", \"ranks\": 4, \"hosts\": [\"n1\", \"n4\"], "
              "\"began\": 1200, \"client\": 98, \"output\": \"/run/out\"}]}]}");
}

TEST(SessionText, IsJsonOfRanksForScripts) {
    SessionAnswer answer;
    answer.ranks = {{2, 7, {{3, 4711, 'S', 1250, 5000}}}, {1, 7, {{0, 4712, 'R', 10, 800}}}};
    EXPECT_EQ(in_one_line(ranks_json(sample(), answer)),
              "{\"version\": 1, \"ranks\": ["
              "{\"rank\": 0, \"host\": \"n1\", \"pid\": 4712, \"state\": \"R\", "
              "\"cpu_ms\": 10, \"resident_kib\": 800}, "
              "{\"rank\": 3, \"host\": \"n2\", \"pid\": 4711, \"state\": \"S\", "
              "\"cpu_ms\": 1250, \"resident_kib\": 5000}]}");
}

TEST(SignalRequest, TakesNumbersAndNames) {
    const struct {
        const char* word;
        int signal;
    } rows[] = {{"TERM", SIGTERM}, {"sigusr1", SIGUSR1}, {"SIGKILL", SIGKILL}, {"9", 9}};
    for (const auto& row : rows) {
        const auto request = read_signal_request({"3", row.word});
        ASSERT_TRUE(request) << row.word;
        EXPECT_EQ(request->order, SignalMessage{row.signal});
        EXPECT_EQ(request->job, JobNumber{3});
    }
    const auto some = read_signal_request({"3", "USR1", "0-3,7"});
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
        EXPECT_FALSE(read_signal_request(words));
}

}  // namespace
}  // namespace launch
