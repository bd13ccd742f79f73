// SPDX-License-Identifier: MIT
// The least that a barrier costs on these hosts: on each a "relay" and a "rank", a socket pair
// between them, plain TCP between the relays along a k-ary tree, messages of 8 bytes, one read and
// one write each, no protocol, no encryption. What a launcher takes on top of it is the launcher's;
// what this takes is the machine's. Started as the ranks of a job, one a host; finds addresses over
// PMI-1. Prints one line of JSON as pmi_bench does.
#include <array>
#include <chrono>
#include <cstring>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <vector>

#include "tests/helpers/median.hpp"
#include "tests/helpers/options.hpp"
#include "tests/helpers/pmi_session.hpp"

namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void give_up(const char* what) {
    std::perror(what);
    std::exit(1);
}

/// Up: the longest that a rank below has waited in the last barrier. Down: that of all.
double receive(int fd) {
    double value = 0;
    if (read(fd, &value, sizeof value) != sizeof value) give_up("read");
    return value;
}

void send(int fd, double value) {
    if (write(fd, &value, sizeof value) != sizeof value) give_up("write");
}

/// The rank: as many barriers as pmi_bench makes of one kind, every second one timed.
int run_rank(int fd, int reps, bool first) {
    double last = 0;
    std::vector<double> seen;
    std::vector<double> longest;
    for (int i = 0; i <= 2 * reps; ++i) {
        const auto begin = Clock::now();
        send(fd, last);
        const double all = receive(fd);
        const double time = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
        last = i % 2 == 1 ? time : 0;
        if (i % 2 == 1) seen.push_back(time);
        if (i % 2 == 0 && i > 0) longest.push_back(all);
    }
    seen.erase(seen.begin());
    longest.erase(longest.begin());
    if (first)
        std::printf("{\"barrier\": {\"rank0\": %.3f, \"median\": %.3f}}\n", median(seen),
                    median(longest));
    return 0;
}

int listen_anywhere(int& port) {
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    socklen_t size = sizeof address;
    if (bind(fd, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(fd, 1024) != 0 ||
        getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0)
        give_up("listen");
    port = ntohs(address.sin_port);
    return fd;
}

int dial(const std::string& host, int port) {
    addrinfo hints{};
    hints.ai_family = AF_INET;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found) != 0)
        give_up("look up");
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(fd, found->ai_addr, found->ai_addrlen) != 0) give_up("connect");
    freeaddrinfo(found);
    return fd;
}

int without_delay(int fd) {
    const int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

struct Relay {
    int parent = -1;
    std::vector<int> below;  ///< the rank and the children

    /// Until the rank below has ended.
    void run() {
        const int epoll = epoll_create1(0);
        for (const int fd : below)
            watch(epoll, fd);
        if (parent >= 0) watch(epoll, parent);
        size_t arrived = 0;
        double most = 0;
        for (;;) {
            std::array<epoll_event, 64> events;
            const int count = epoll_wait(epoll, events.data(), events.size(), -1);
            for (int i = 0; i < count; ++i) {
                const int fd = events[static_cast<size_t>(i)].data.fd;
                double value = 0;
                if (read(fd, &value, sizeof value) != sizeof value) return;
                if (fd == parent) {
                    release(value);
                    continue;
                }
                most = std::max(most, value);
                if (++arrived < below.size()) continue;
                arrived = 0;
                if (parent >= 0)
                    send(parent, most);
                else
                    release(most);
                most = 0;
            }
        }
    }

    static void watch(int epoll, int fd) {
        epoll_event event{};
        event.events = EPOLLIN;
        event.data.fd = fd;
        epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
    }

    void release(double value) const {
        for (const int fd : below)
            send(fd, value);
    }
};

}  // namespace

int main(int argc, char** argv) {
    const Options options({{"degree", "32"}, {"reps", "11"}}, argc, argv);
    const int degree = options.number("degree");
    if (degree < 1 || options.number("reps") < 2) {
        std::fprintf(stderr, "--degree is to be 1, --reps 2 at least\n");
        return 2;
    }
    PmiSession session;
    session.init();
    const int rank = session.rank();
    int port = 0;
    const int listener = listen_anywhere(port);
    char name[256];
    gethostname(name, sizeof name);
    session.put("a" + std::to_string(rank), std::string(name) + ":" + std::to_string(port));
    session.fence();
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) give_up("socketpair");
    Relay relay;
    relay.below.push_back(ends[0]);
    if (rank > 0) {
        const auto at = session.get("a" + std::to_string((rank - 1) / degree)).value_or(":0");
        const size_t colon = at.rfind(':');
        relay.parent = without_delay(dial(at.substr(0, colon), std::atoi(at.c_str() + colon + 1)));
    }
    for (int child = degree * rank + 1; child <= degree * rank + degree && child < session.size();
         ++child)
        relay.below.push_back(without_delay(accept(listener, nullptr, nullptr)));
    session.fence();
    const pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        return run_rank(ends[1], options.number("reps"), rank == 0);
    }
    close(ends[1]);
    relay.run();
    int status = 1;
    if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0) give_up("the rank");
    session.fence();
    session.finalize();
    return 0;
}
