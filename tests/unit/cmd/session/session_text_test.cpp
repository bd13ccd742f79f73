#include "cmd/session/session_text.hpp"

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

TEST(SessionText, IsJsonForScripts) {
    const auto text = sessions_json({sample()});
    for (const char* part :
         {"{\"version\": 1, \"sessions\": [", "\"session\": \"work\"", "\"pid\": 77",
          "\"host\": \"n1:2\"", "\"up\": false", "\"why\": \"n4: connect: no route\"",
          "\"job\": 12", "\"hosts\": [\"n1\"]"})
        EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(SignalRequest, TakesNumbersAndNames) {
    const struct {
        const char* word;
        int signal;
    } rows[] = {{"TERM", SIGTERM}, {"sigusr1", SIGUSR1}, {"SIGKILL", SIGKILL}, {"9", 9}};
    for (const auto& row : rows) {
        const auto request = read_signal_request({"3", row.word});
        ASSERT_TRUE(request) << row.word;
        EXPECT_EQ(request->signal, row.signal);
        EXPECT_EQ(request->job, JobNumber{3});
    }
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {}, {"3"}, {"0", "TERM"}, {"x", "TERM"}, {"3", "NOSUCH"}, {"3", "0"}, {"3", "9999"}})
        EXPECT_FALSE(read_signal_request(words));
}

}  // namespace
}  // namespace launch
