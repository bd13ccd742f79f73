// SPDX-License-Identifier: MIT
// pmi_hostile MODE [RANK [CODE]]: that rank (default 0) wrongs its launcher over raw PMI-1, the
// others fence and wait. A rank that the launcher did not end after a minute says "still alive".
#include <csignal>
#include <map>
#include <thread>

#include "tests/helpers/pmi_session.hpp"

namespace {

using Act = void (*)(PmiSession&, int code);

void drain(PmiSession& session) {
    char bytes[65536];
    while (recv(session.fd(), bytes, sizeof bytes, MSG_DONTWAIT) > 0) {
    }
}

// Before init.
void rubbish(PmiSession& session, int) {
    session.send("\x01\x02 GET / HTTP/1.1\r\n\xff\xfe\n\n\n");
}
void bare_words(PmiSession& session, int) {
    session.send("hello out there\n");
}
void put_first(PmiSession& session, int) {
    session.send("cmd=put kvsname=x key=y value=z\n");
}
void endless(PmiSession& session, int) {
    const std::string block(65536, 'x');
    for (int i = 0; i < 1024; i++)
        session.send(block);  // 64 MiB, no end of line
}
void silent(PmiSession&, int) {}
void leave(PmiSession&, int code) {
    std::_Exit(code);
}

// After init.
void half_line(PmiSession& session, int) {
    session.send("cmd=put kvsname=" + session.kvsname() + " key=ab");
}
void half_line_exit(PmiSession& session, int code) {
    half_line(session, code);
    std::_Exit(code);
}
void close_in_the_middle(PmiSession& session, int code) {
    half_line(session, code);
    close(session.fd());
}
void long_line(PmiSession& session, int) {
    session.send("cmd=put kvsname=" + session.kvsname() +
                 " key=k value=" + std::string(1 << 20, 'v') + "\n");
}
void no_key(PmiSession& session, int) {
    session.send("cmd=put kvsname=" + session.kvsname() + "\n");
}
void unknown(PmiSession& session, int) {
    session.send("cmd=make_coffee sugar=2\n");
}
std::string numbered_put(const PmiSession& session, int number) {
    return "cmd=put kvsname=" + session.kvsname() + " key=k" + std::to_string(number) +
           " value=" + std::string(100, 'v');
}
void many_keys(PmiSession& session, int) {
    for (int i = 0; i < 1'000'000; i++)
        session.exchange(numbered_put(session, i));
}
void flood(PmiSession& session, int) {
    for (int i = 0; i < 1'000'000; i++) {
        session.send(numbered_put(session, i) + "\n");
        drain(session);
    }
}
void deaf(PmiSession& session, int) {
    for (int i = 0; i < 1'000'000; i++)
        session.send("cmd=get_maxes\n");  // and reads no answer
}
void vanish(PmiSession&, int code) {
    std::_Exit(code);
}
void crash(PmiSession&, int) {
    raise(SIGSEGV);
}
void die_in_fence(PmiSession& session, int) {
    session.send("cmd=barrier_in\n");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    raise(SIGKILL);
}
void abort_job(PmiSession& session, int code) {
    session.send("cmd=abort exitcode=" + std::to_string(code) + " message=out of coffee\n");
    std::this_thread::sleep_for(std::chrono::seconds(60));
}

const std::map<std::string, Act> before_init = {
    {"rubbish", rubbish}, {"bare_words", bare_words}, {"put_first", put_first},
    {"endless", endless}, {"silent", silent},         {"leave", leave},
};
const std::map<std::string, Act> after_init = {
    {"half_line", half_line},
    {"half_line_exit", half_line_exit},
    {"close", close_in_the_middle},
    {"long_line", long_line},
    {"no_key", no_key},
    {"unknown", unknown},
    {"many_keys", many_keys},
    {"flood", flood},
    {"deaf", deaf},
    {"vanish", vanish},
    {"crash", crash},
    {"die_in_fence", die_in_fence},
    {"abort", abort_job},
};

int usage() {
    std::fprintf(stderr, "usage: pmi_hostile MODE [RANK [CODE]]; modes:");
    for (const auto* modes : {&before_init, &after_init})
        for (const auto& [name, act] : *modes)
            std::fprintf(stderr, " %s", name.c_str());
    std::fprintf(stderr, "\n");
    return 2;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string mode = argc > 1 ? argv[1] : "";
    const bool early = before_init.contains(mode);
    if (!early && !after_init.contains(mode)) return usage();
    PmiSession session;
    const bool wrong = session.rank() == (argc > 2 ? std::atoi(argv[2]) : 0);
    const int code = argc > 3 ? std::atoi(argv[3]) : 0;
    if (wrong && early) before_init.at(mode)(session, code);
    if (!wrong || !early) session.init();
    if (wrong && !early) after_init.at(mode)(session, code);
    if (!wrong) session.fence();
    std::this_thread::sleep_for(std::chrono::seconds(60));
    std::printf("rank %d is still alive\n", session.rank());
    return 3;
}
