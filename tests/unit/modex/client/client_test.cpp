// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

#include "modex/client/launch_modex.h"

namespace {

/// Answers one line of a rank; an empty answer closes the connection.
using Answer = std::function<std::string(const std::string& line)>;

void forget_launcher() {
    for (const char* name : {"PMI_FD", "PMI_PORT", "PMI_ID", "PMI_RANK", "PMI_SIZE"})
        unsetenv(name);
}

void serve(int server, const Answer& answer) {
    std::string line;
    char byte = 0;
    while (read(server, &byte, 1) == 1) {
        line.push_back(byte);
        if (byte != '\n') continue;
        const std::string reply = answer(line);
        if (reply.empty() || write(server, reply.data(), reply.size()) < 0) break;
        line.clear();
    }
    shutdown(server, SHUT_RDWR);
}

/// A launcher of one rank: this thread is the rank, another one answers.
class FakeLauncher {
  public:
    explicit FakeLauncher(Answer answer) : answer_(std::move(answer)) {
        int ends[2];
        EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
        server_ = ends[0];
        setenv("PMI_FD", std::to_string(ends[1]).c_str(), 1);
        setenv("PMI_RANK", "2", 1);
        setenv("PMI_SIZE", "3", 1);
        thread_ = std::thread([this] { serve(server_, answer_); });
    }
    ~FakeLauncher() {
        shutdown(server_, SHUT_RDWR);
        thread_.join();
        close(server_);
        forget_launcher();
    }

  private:
    Answer answer_;
    int server_ = -1;
    std::thread thread_;
};

/// The same by a port. Its guest must leave before it ends.
class FakePortLauncher {
  public:
    explicit FakePortLauncher(Answer answer)
        : answer_(std::move(answer)), listener_(socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        auto* any = reinterpret_cast<sockaddr*>(&address);
        socklen_t length = sizeof address;
        EXPECT_EQ(bind(listener_, any, length), 0);
        EXPECT_EQ(listen(listener_, 1), 0);
        EXPECT_EQ(getsockname(listener_, any, &length), 0);
        setenv("PMI_PORT", ("127.0.0.1:" + std::to_string(ntohs(address.sin_port))).c_str(), 1);
        setenv("PMI_ID", "7", 1);
        thread_ = std::thread([this] {
            const int server = accept(listener_, nullptr, nullptr);
            serve(server, answer_);
            close(server);
        });
    }
    ~FakePortLauncher() {
        shutdown(listener_, SHUT_RDWR);
        thread_.join();
        close(listener_);
        forget_launcher();
    }

  private:
    Answer answer_;
    int listener_;
    std::thread thread_;
};

std::string word(const std::string& line, const std::string& name) {
    const size_t begin = line.find(" " + name + "=") + name.size() + 2;
    return line.substr(begin, line.find_first_of(" \n", begin) - begin);
}

/// A store with a small limit for values.
struct Store {
    int value_max = 64;
    size_t longest_line = 0;
    std::map<std::string, std::string> cards{};

    std::string operator()(const std::string& line) {
        longest_line = std::max(longest_line, line.size());
        const std::string command = line.substr(4, line.find_first_of(" \n") - 4);
        if (command == "init") return "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n";
        if (command == "get_maxes")
            return "cmd=maxes kvsname_max=64 keylen_max=64 vallen_max=" +
                   std::to_string(value_max) + "\n";
        if (command == "get_my_kvsname") return "cmd=my_kvsname kvsname=kvs\n";
        if (command == "barrier_in") return "cmd=barrier_out\n";
        if (command == "finalize") return "cmd=finalize_ack\n";
        if (command == "put") {
            const bool fits = word(line, "value").size() < static_cast<size_t>(value_max) &&
                              word(line, "key").size() < 64;
            return fits && cards.emplace(word(line, "key"), word(line, "value")).second
                       ? "cmd=put_result rc=0 msg=success\n"
                       : "cmd=put_result rc=-1 msg=refused\n";
        }
        const auto found = cards.find(word(line, "key"));
        return found == cards.end()
                   ? "cmd=get_result rc=-1 msg=key_not_found value=unknown\n"
                   : "cmd=get_result rc=0 msg=success value=" + found->second + "\n";
    }
};

TEST(Client, LongValuesTravelInPieces) {
    Store store;
    FakeLauncher launcher([&](const std::string& line) { return store(line); });
    launch_modex* job = nullptr;
    ASSERT_EQ(launch_modex_init(&job), 0);
    EXPECT_EQ(launch_modex_rank(job), 2);
    EXPECT_EQ(launch_modex_size(job), 3);
    for (const size_t length : {0U, 1U, 56U, 57U, 58U, 59U, 114U, 5000U}) {
        const std::string key = "k" + std::to_string(length), value(length, 'v');
        std::string found(length, '?');
        size_t told = 0;
        EXPECT_EQ(launch_modex_put(job, key.c_str(), value.data(), value.size()), 0) << length;
        EXPECT_EQ(launch_modex_get(job, 2, key.c_str(), found.data(), found.size(), &told), 0)
            << length;
        EXPECT_EQ(told, length);
        EXPECT_EQ(found, value);
    }
    EXPECT_EQ(store.cards.at("2.k1"), "1tv");
    EXPECT_EQ(store.cards.count("2.k5000+85"), 1U);
    EXPECT_EQ(launch_modex_put(job, "k1", "x", 1), LAUNCH_MODEX_EREFUSED);
    EXPECT_EQ(launch_modex_finalize(job), 0);
}

TEST(Client, NoLineIsLongerThanMpichs) {
    Store store{.value_max = 1 << 20};
    FakeLauncher launcher([&](const std::string& line) { return store(line); });
    launch_modex* job = nullptr;
    const std::string key(LAUNCH_MODEX_KEY_MAX, 'k'), value(20000, 'v');
    ASSERT_EQ(launch_modex_init(&job), 0);
    EXPECT_EQ(launch_modex_put(job, key.c_str(), value.data(), value.size()), 0);
    EXPECT_LE(store.longest_line, 1024U);
    EXPECT_EQ(launch_modex_finalize(job), 0);
}

TEST(Client, ComesByAPort) {
    Store store;
    FakePortLauncher launcher([&](const std::string& line) {
        const std::string told = "cmd=initack\ncmd=set size=3\ncmd=set rank=2\ncmd=set debug=0\n";
        return line == "cmd=initack pmiid=7\n" ? told : store(line);
    });
    launch_modex* job = nullptr;
    char byte = 0;
    ASSERT_EQ(launch_modex_init(&job), 0);
    EXPECT_EQ(launch_modex_rank(job), 2);
    EXPECT_EQ(launch_modex_size(job), 3);
    EXPECT_EQ(launch_modex_put(job, "k", "v", 1), 0);
    EXPECT_EQ(launch_modex_get(job, 2, "k", &byte, 1, nullptr), 0);
    EXPECT_EQ(byte, 'v');
    EXPECT_EQ(launch_modex_finalize(job), 0);
}

/// What comes of each answer that a launcher gives to everything.
template <typename Launcher>
void expect_init_of(const std::map<std::string, int>& answers) {
    for (const auto& [reply, code] : answers) {
        Launcher launcher([&answer = reply](const std::string&) { return answer; });
        launch_modex* job = nullptr;
        EXPECT_EQ(launch_modex_init(&job), code) << reply.substr(0, 40);
        EXPECT_EQ(job, nullptr);
    }
}

TEST(Client, PortsThatAnswerWronglyAreNamed) {
    const std::map<std::string, int> answers = {
        {"", LAUNCH_MODEX_ECLOSED},
        {"cmd=initack rc=-1\n", LAUNCH_MODEX_EREFUSED},
        {"cmd=initack\ncmd=set rank=2\n", LAUNCH_MODEX_EPROTOCOL},
        {"cmd=initack\ncmd=set size=3\ncmd=set rank=3\ncmd=set debug=0\n", LAUNCH_MODEX_EPROTOCOL},
        {"cmd=initack\ncmd=set size=3\ncmd=set rank=x\n", LAUNCH_MODEX_EPROTOCOL},
        {"cmd=initack\ncmd=set size=99999999999\n", LAUNCH_MODEX_EPROTOCOL},
    };
    expect_init_of<FakePortLauncher>(answers);
}

TEST(Client, WrongPortsAreRefused) {
    const struct {
        const char *port, *id;
        int code;
    } rows[] = {
        {"127.0.0.1", "7", LAUNCH_MODEX_EPROTOCOL},    {"127.0.0.1:1", "7", LAUNCH_MODEX_ECLOSED},
        {"127.0.0.1:x", "7", LAUNCH_MODEX_ECLOSED},    {"127.0.0.1:1", "", LAUNCH_MODEX_EPROTOCOL},
        {"127.0.0.1:1", "-7", LAUNCH_MODEX_EPROTOCOL},
    };
    for (const auto& [port, id, code] : rows) {
        launch_modex* job = nullptr;
        setenv("PMI_PORT", port, 1);
        setenv("PMI_ID", id, 1);
        EXPECT_EQ(launch_modex_init(&job), code) << port << " " << id;
        EXPECT_EQ(job, nullptr);
    }
    forget_launcher();
}

TEST(Client, AConnectionIsTakenOnce) {
    Store store;
    FakeLauncher launcher([&](const std::string& line) { return store(line); });
    launch_modex *job = nullptr, *second = nullptr;
    ASSERT_EQ(launch_modex_init(&job), 0);
    EXPECT_EQ(launch_modex_init(&second), LAUNCH_MODEX_ECLOSED);
    EXPECT_EQ(second, nullptr);
    EXPECT_EQ(launch_modex_finalize(job), 0);
}

TEST(Client, LaunchersThatAnswerWronglyAreNamed) {
    const std::map<std::string, int> first_answers = {
        {"", LAUNCH_MODEX_ECLOSED},
        {"hello\n", LAUNCH_MODEX_EPROTOCOL},
        {"\n", LAUNCH_MODEX_EPROTOCOL},
        {"cmd=maxes\n", LAUNCH_MODEX_EPROTOCOL},
        {"cmd=response_to_init rc=-1\n", LAUNCH_MODEX_EREFUSED},
        {std::string(100'000, 'x'), LAUNCH_MODEX_EPROTOCOL},
    };
    expect_init_of<FakeLauncher>(first_answers);
}

TEST(Client, AValueLongerThanCanBePutIsRefused) {
    Store store;
    int asked = 0;
    FakeLauncher launcher([&](const std::string& line) {
        if (!line.starts_with("cmd=get ")) return store(line);
        const std::string value(60'000, 'v');
        return ++asked > 100 ? "" : "cmd=get_result value=99999t" + value + "\n";
    });
    launch_modex* job = nullptr;
    char byte = 0;
    ASSERT_EQ(launch_modex_init(&job), 0);
    EXPECT_EQ(launch_modex_get(job, 0, "k", &byte, 1, nullptr), LAUNCH_MODEX_EPROTOCOL);
    EXPECT_LT(asked, 30);
    EXPECT_EQ(launch_modex_finalize(job), 0);
}

TEST(Client, ForeignCardsAreNotMisread) {
    Store store{.cards = {{"0.a", "tx"},
                          {"0.b", "0tx"},
                          {"0.c", "1xx"},
                          {"0.d", "2tx"},
                          {"0.e", "999999999tx"},
                          {"0.f", "1bA"},
                          {"0.g", " 5"},
                          {"0.h", ""}}};
    FakeLauncher launcher([&](const std::string& line) { return store(line); });
    launch_modex* job = nullptr;
    char byte = 0;
    ASSERT_EQ(launch_modex_init(&job), 0);
    for (const char* key : {"a", "b", "c", "d", "e", "f", "g", "h"})
        EXPECT_EQ(launch_modex_get(job, 0, key, &byte, 1, nullptr), LAUNCH_MODEX_EPROTOCOL) << key;
    EXPECT_EQ(launch_modex_finalize(job), 0);
}

/// The store with what only launch knows; keeps what it is told.
struct OwnStore {
    Store store{.cards = {{"PMI_launch", "1"}, {"PMI_launch_parent", "job"}}};
    std::vector<std::string> lines{};

    std::string operator()(const std::string& line) {
        lines.push_back(line.substr(0, line.size() - 1));
        if (line.starts_with("cmd=launch_grow")) return "cmd=launch_result rc=0 \n";
        if (line.starts_with("cmd=launch_release"))
            return "cmd=launch_result rc=-1 msg=n_1: is in use\n";
        if (line.starts_with("cmd=launch_event since=0"))
            return "cmd=launch_result rc=0 number=4 kind=process_failed count=1 rank=2 "
                   "name=job.1\n";
        if (line.starts_with("cmd=launch_event")) return "cmd=launch_result rc=-1 msg=no_event\n";
        if (line.starts_with("cmd=launch_get"))
            return "cmd=get_result rc=0 msg=success value=1tcard\n";
        if (line.starts_with("cmd=launch_lookup"))
            return "cmd=lookup_result info=failed rc=-1 msg=timeout\n";
        if (line.starts_with("cmd=lookup_name"))
            return "cmd=lookup_result info=ok rc=0 msg=success port=a b=c\n";
        if (line.starts_with("cmd=")) return store(line);
        return line == "endcmd\n" ? "cmd=spawn_result rc=0 jobid=job.1\n" : "\n";
    }
};

TEST(Client, SpawnsInTheWordsOfPmi1) {
    OwnStore store;
    bool in_spawn = false;
    FakeLauncher launcher([&](const std::string& line) -> std::string {
        const std::string answer = store(line);
        in_spawn = (in_spawn || line == "mcmd=spawn\n") && line != "endcmd\n";
        return in_spawn ? " " : answer;  // nothing, as far as a line goes
    });
    launch_modex* job = nullptr;
    ASSERT_EQ(launch_modex_init(&job), 0);
    store.lines.clear();
    const char* argv[] = {"app", "a b", nullptr};
    const char* info[] = {"add-host=n1,n2", "env=A=b", nullptr};
    char space[8];
    EXPECT_EQ(launch_modex_spawn(job, argv, 2, info, space, sizeof space), 0);
    EXPECT_STREQ(space, "job.1");
    const std::vector<std::string> said{"mcmd=spawn",       "nprocs=2",
                                        "execname=app",     "totspawns=1",
                                        "spawnssofar=1",    "argcnt=1",
                                        "arg1=a b",         "preput_num=0",
                                        "info_num=2",       "info_key_0=add-host",
                                        "info_val_0=n1,n2", "info_key_1=env",
                                        "info_val_1=A=b",   "endcmd"};
    EXPECT_EQ(store.lines, said);
    const char* of_lines[] = {"app", "a\nb", nullptr};
    const char* no_info[] = {"key", nullptr};
    const char* nothing[] = {nullptr};
    EXPECT_EQ(launch_modex_spawn(job, of_lines, 1, nullptr, space, sizeof space),
              LAUNCH_MODEX_EARGUMENT);
    EXPECT_EQ(launch_modex_spawn(job, argv, 1, no_info, space, sizeof space),
              LAUNCH_MODEX_EARGUMENT);
    EXPECT_EQ(launch_modex_spawn(job, argv, 0, nullptr, space, sizeof space),
              LAUNCH_MODEX_EARGUMENT);
    EXPECT_EQ(launch_modex_spawn(job, nothing, 1, nullptr, space, sizeof space),
              LAUNCH_MODEX_EARGUMENT);
    EXPECT_EQ(store.lines, said) << "half of a spawn was sent";
    launch_modex_finalize(job);
}

TEST(Client, AsksLaunchForMoreThanPmi1) {
    OwnStore store;
    FakeLauncher launcher([&](const std::string& line) { return store(line); });
    launch_modex* job = nullptr;
    launch_modex_event event{};
    char text[16] = "";
    size_t length = 0;
    ASSERT_EQ(launch_modex_init(&job), 0);
    EXPECT_STREQ(launch_modex_space(job), "kvs");
    EXPECT_EQ(launch_modex_parent(job, text, sizeof text), 0);
    EXPECT_STREQ(text, "job");
    EXPECT_EQ(launch_modex_parent(job, text, 3), LAUNCH_MODEX_ETOOSMALL);
    EXPECT_EQ(launch_modex_grow(job, "n[1-2]"), 0);
    EXPECT_EQ(store.lines.back(), "cmd=launch_grow hosts=n[1-2]");
    EXPECT_EQ(launch_modex_release(job, "n_1"), LAUNCH_MODEX_EREFUSED);
    EXPECT_STREQ(launch_modex_reason(job), "n_1: is in use");
    EXPECT_EQ(launch_modex_next_event(job, 10, &event), 0);
    EXPECT_EQ(event.number, 4U);
    EXPECT_EQ(event.kind, LAUNCH_MODEX_PROCESS_FAILED);
    EXPECT_EQ(event.rank, 2);
    EXPECT_STREQ(event.name, "job.1");
    EXPECT_EQ(launch_modex_next_event(job, -1, &event), LAUNCH_MODEX_ETIMEOUT);
    EXPECT_EQ(store.lines.back(), "cmd=launch_event since=4 wait=-1");
    EXPECT_EQ(launch_modex_get_from(job, "job.1", 1, "key", text, sizeof text, &length), 0);
    EXPECT_EQ(store.lines.back(), "cmd=launch_get space=job.1 rank=1 key=1.key");
    EXPECT_EQ(std::string(text, length), "card");
    EXPECT_EQ(launch_modex_lookup(job, "name", 0, text, sizeof text), 0);
    EXPECT_STREQ(text, "a b=c");
    EXPECT_EQ(launch_modex_lookup(job, "name", 5, text, sizeof text), LAUNCH_MODEX_ETIMEOUT);
    EXPECT_EQ(launch_modex_lookup(job, "a\nb", 0, text, sizeof text), LAUNCH_MODEX_EARGUMENT);
    EXPECT_EQ(launch_modex_publish(job, "name", std::string(900, 'v').c_str()),
              LAUNCH_MODEX_EARGUMENT);
    launch_modex_finalize(job);
}

TEST(Client, AsksNoOtherLauncherForMore) {
    Store store;
    std::string last;
    FakeLauncher launcher([&](const std::string& line) { return store(last = line); });
    launch_modex* job = nullptr;
    launch_modex_event event{};
    char text[16] = "";
    ASSERT_EQ(launch_modex_init(&job), 0);
    EXPECT_EQ(launch_modex_grow(job, "n"), LAUNCH_MODEX_EUNSUPPORTED);
    EXPECT_EQ(launch_modex_next_event(job, 0, &event), LAUNCH_MODEX_EUNSUPPORTED);
    EXPECT_EQ(launch_modex_lookup(job, "n", 1, text, sizeof text), LAUNCH_MODEX_EUNSUPPORTED);
    EXPECT_EQ(launch_modex_get_from(job, "s", 0, "k", text, sizeof text, nullptr),
              LAUNCH_MODEX_EUNSUPPORTED);
    EXPECT_EQ(launch_modex_parent(job, text, sizeof text), LAUNCH_MODEX_EUNSUPPORTED);
    EXPECT_EQ(last, "cmd=get kvsname=kvs key=PMI_launch\n");
    launch_modex_finalize(job);
}

TEST(Client, TheReasonIsOfTheLastCallAndNoBoundIsTakenForAbsence) {
    OwnStore store;
    std::string why;
    FakeLauncher launcher([&](const std::string& line) {
        const bool asks = line.starts_with("cmd=put") || line.starts_with("cmd=lookup") ||
                          line.starts_with("cmd=unpublish") || line.starts_with("cmd=get kvs");
        const std::string command = line.substr(4, line.find_first_of(" \n_") - 4);
        if (!asks || why.empty()) return store(line);
        return "cmd=" + command + "_result rc=-1 msg=" + why + "\n";
    });
    launch_modex* job = nullptr;
    char text[16] = "";
    ASSERT_EQ(launch_modex_init(&job), 0);
    EXPECT_STREQ(launch_modex_reason(job), "");
    why = "value_too_long";
    EXPECT_EQ(launch_modex_put(job, "k", "v", 1), LAUNCH_MODEX_EREFUSED);
    EXPECT_STREQ(launch_modex_reason(job), "value too long");
    EXPECT_EQ(launch_modex_fence(job), 0);
    EXPECT_STREQ(launch_modex_reason(job), "") << "a call that worked";
    why = "too_many_questions";
    EXPECT_EQ(launch_modex_lookup(job, "name", 0, text, sizeof text), LAUNCH_MODEX_EREFUSED);
    EXPECT_STREQ(launch_modex_reason(job), "too many questions");
    EXPECT_EQ(launch_modex_lookup(job, "", 0, text, sizeof text), LAUNCH_MODEX_EARGUMENT);
    EXPECT_STREQ(launch_modex_reason(job), "") << "a call that was wrong";
    EXPECT_EQ(launch_modex_get(job, 0, "k", text, sizeof text, nullptr), LAUNCH_MODEX_EREFUSED);
    EXPECT_EQ(launch_modex_unpublish(job, "name"), LAUNCH_MODEX_EREFUSED);
    why = "key_not_found";
    EXPECT_EQ(launch_modex_lookup(job, "name", 0, text, sizeof text), LAUNCH_MODEX_ENOTFOUND);
    EXPECT_EQ(launch_modex_get(job, 0, "k", text, sizeof text, nullptr), LAUNCH_MODEX_ENOTFOUND);
    EXPECT_STREQ(launch_modex_reason(job), "") << "it is not refused, it is not there";
    launch_modex_finalize(job);
}

TEST(Client, WrongEnvironmentsAreRefused) {
    const char* rows[][3] = {{"x", "0", "1"}, {"9999", "0", "1"}, {"0", "", "1"},
                             {"0", "1", "1"}, {"0", "-1", "1"},   {"0", "0", "0"}};
    for (const auto& [fd, rank, size] : rows) {
        launch_modex* job = nullptr;
        setenv("PMI_FD", fd, 1);
        setenv("PMI_RANK", rank, 1);
        setenv("PMI_SIZE", size, 1);
        EXPECT_LT(launch_modex_init(&job), 0) << fd << " " << rank << " " << size;
        EXPECT_EQ(job, nullptr);
    }
    forget_launcher();
}

TEST(Client, WithoutALauncherItIsRankZeroOfOne) {
    launch_modex* job = nullptr;
    char byte = 0;
    ASSERT_EQ(launch_modex_init(&job), 0);
    EXPECT_EQ(launch_modex_rank(job), 0);
    EXPECT_EQ(launch_modex_size(job), 1);
    EXPECT_EQ(launch_modex_put(job, "k", "v", 1), 0);
    EXPECT_EQ(launch_modex_put(job, "k", "v", 1), LAUNCH_MODEX_EREFUSED);
    EXPECT_EQ(launch_modex_fence(job), 0);
    EXPECT_EQ(launch_modex_get(job, 0, "k", &byte, 1, nullptr), 0);
    EXPECT_EQ(byte, 'v');
    EXPECT_EQ(launch_modex_get(job, 1, "k", &byte, 1, nullptr), LAUNCH_MODEX_EARGUMENT);
    EXPECT_STREQ(launch_modex_space(job), "");
    const char* argv[] = {"true", nullptr};
    EXPECT_EQ(launch_modex_spawn(job, argv, 1, nullptr, nullptr, 0), LAUNCH_MODEX_EUNSUPPORTED);
    EXPECT_EQ(launch_modex_grow(job, "n"), LAUNCH_MODEX_EUNSUPPORTED);
    EXPECT_EQ(launch_modex_publish(job, "n", "v"), LAUNCH_MODEX_EUNSUPPORTED);
    EXPECT_EQ(launch_modex_finalize(job), 0);
}

}  // namespace
