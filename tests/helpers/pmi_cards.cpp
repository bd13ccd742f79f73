// SPDX-License-Identifier: MIT
// Every rank puts cards, fences, and reads every card of every rank, byte by byte: over raw PMI-1.
#include <algorithm>
#include <chrono>
#include <random>
#include <sstream>
#include <thread>

#include "tests/helpers/cards.hpp"
#include "tests/helpers/options.hpp"
#include "tests/helpers/pmi_session.hpp"

namespace {

std::string key(int rank, int number, int round) {
    return "card-" + std::to_string(round) + "-" + std::to_string(number) + "-" +
           std::to_string(rank);
}

struct Test {
    PmiSession session;
    int cards, fences, size, delay;
    bool mourn = false;
    std::mt19937 random{static_cast<uint32_t>(session.rank())};

    void check(int rank, int number, int round) {
        const auto value = session.get(key(rank, number, round));
        if (!value && mourn && is_told(rank)) return;
        if (!value) session.give_up("no key " + key(rank, number, round));
        if (*value != card(rank, number, round, static_cast<size_t>(size)))
            session.give_up("another value at " + key(rank, number, round) + ": " + *value);
    }

    std::string dead() { return session.get("PMI_dead_processes").value_or(""); }

    /// Of "0,3-5".
    static bool holds(const std::string& ranges, int rank) {
        std::istringstream list(ranges);
        for (std::string range; std::getline(list, range, ',');) {
            const size_t dash = range.find('-');
            const int last = std::stoi(dash == std::string::npos ? range : range.substr(dash + 1));
            if (std::stoi(range) <= rank && rank <= last) return true;
        }
        return false;
    }

    /// Whether that rank is among the dead, now or soon.
    bool is_told(int rank) {
        for (int i = 0; i < 100; i++) {
            if (holds(dead(), rank)) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
        return false;
    }

    void rest() {
        if (delay > 0)
            std::this_thread::sleep_for(
                std::chrono::milliseconds(static_cast<int>(random()) % delay));
    }

    /// Each rank starts elsewhere, so that not all ask the same at the same time.
    void exchange(int round, const std::string& whose) {
        for (int number = 0; number < cards; number++)
            session.put(key(session.rank(), number, round),
                        card(session.rank(), number, round, static_cast<size_t>(size)));
        rest();
        session.fence();
        const int count = whose == "all" ? session.size() : whose == "next" ? 1 : 0;
        for (int i = 1; i <= count; i++)
            for (int number = 0; number < cards; number++)
                check((session.rank() + i) % session.size(), number, round);
        if (round > 0) check((session.rank() + 1) % session.size(), 0, 0);
    }

    void missing() {
        if (session.get("no-such-key")) session.give_up("a value for a key that nobody put");
        if (session.get(key(session.size(), 0, 0))) session.give_up("a card of a rank that is not");
    }

    /// What is out of range is refused, and the job goes on.
    void limits() {
        const auto refused = [&](const std::string& name, const std::string& text) {
            const std::string answer = session.exchange("cmd=put kvsname=" + session.kvsname() +
                                                        " key=" + name + " value=" + text);
            if (PmiSession::field(answer, "cmd") != "put_result" ||
                PmiSession::field(answer, "rc").value_or("0") == "0")
                session.give_up("a put out of range: " + answer);
        };
        refused(std::string(session.key_max() + 1, 'k'), "v");
        refused("long", std::string(session.value_max() + 1, 'v'));
        refused("PMI_mine", "v");
        refused("", "v");
    }

    void publish() {
        const auto service = [](int rank) { return "service-" + std::to_string(rank); };
        const auto port = [](int rank) { return "port=" + std::to_string(rank); };
        const int rank = session.rank(), next = (rank + 1) % session.size();
        session.expect("cmd=publish_name service=" + service(rank) + " port=" + port(rank),
                       "publish_result");
        session.fence();
        const std::string found =
            session.expect("cmd=lookup_name service=" + service(next), "lookup_result");
        if (PmiSession::field(found, "port") != port(next)) session.give_up("lookup: " + found);
        session.fence();
        session.expect("cmd=unpublish_name service=" + service(rank), "unpublish_result");
        session.fence();
        const std::string gone = session.exchange("cmd=lookup_name service=" + service(next));
        if (PmiSession::field(gone, "rc").value_or("0") == "0")
            session.give_up("lookup after unpublish: " + gone);
    }
};

}  // namespace

int main(int argc, char** argv) {
    // cards: a rank, each fence; delay: up to so many ms before a fence; read: all, next or none;
    // mourn: hosts are lost on the way, this rank among them or not: who is left says who died.
    const Options options({{"cards", "1"},
                           {"size", "200"},
                           {"fences", "1"},
                           {"delay", "0"},
                           {"read", "all"},
                           {"mourn", "0"},
                           {"missing", "0"},
                           {"limits", "0"},
                           {"publish", "0"},
                           {"mapping", "0"}},
                          argc, argv);
    Test test{.cards = options.number("cards"),
              .fences = options.number("fences"),
              .size = options.number("size"),
              .delay = options.number("delay"),
              .mourn = options.on("mourn")};
    PmiSession& session = test.session;
    session.init();
    if (options.on("mapping") && session.rank() == 0)
        std::printf("mapping %s\n", session.get("PMI_process_mapping").value_or("none").c_str());
    for (int round = 0; round < test.fences; round++) {
        test.exchange(round, options.text("read"));
        if (round == 3 && test.mourn) std::printf("%d: under way\n", session.rank());
        std::fflush(stdout);
    }
    if (test.mourn) std::printf("%d: %s died\n", session.rank(), test.dead().c_str());
    if (options.on("missing")) test.missing();
    if (options.on("limits")) test.limits();
    if (options.on("publish")) test.publish();
    session.fence();
    if (session.rank() == 0 && !test.mourn)
        std::printf("cards of %d ranks are right\n", session.size());
    session.finalize();
    return 0;
}
