// SPDX-License-Identifier: MIT
// Times put + fence, an empty fence, and reading all cards, over raw PMI-1. Rank 0 prints one line
// of JSON, in milliseconds: for each the first time, and the median of the others, where a time is
// the longest of all ranks'; and the medians of what rank 0 saw.
#include <algorithm>
#include <chrono>
#include <vector>

#include "tests/helpers/cards.hpp"
#include "tests/helpers/median.hpp"
#include "tests/helpers/options.hpp"
#include "tests/helpers/pmi_session.hpp"

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// The first, and the median of the rest.
std::pair<double, double> summary(std::vector<double> values) {
    const double first = values.front();
    if (values.size() > 1) values.erase(values.begin());
    return {first, median(values)};
}

struct Bench {
    PmiSession session;
    size_t size;
    int round = 0;

    /// The times of all rounds of one kind, each begun by a fence that lines the ranks up.
    template <class Step>
    std::vector<double> times(int count, Step step) {
        std::vector<double> result;
        for (int i = 0; i < count; i++) {
            session.fence();
            const auto begin = Clock::now();
            step();
            result.push_back(since(begin));
        }
        return result;
    }

    void put_and_fence() {
        round++;
        session.put("c" + std::to_string(round) + "-" + std::to_string(session.rank()),
                    card(session.rank(), 0, round, size));
        session.fence();
    }

    void read_all() {
        for (int i = 0; i < session.size(); i++) {
            const int rank = (session.rank() + i) % session.size();
            const auto value = session.get("c1-" + std::to_string(rank));
            if (value != card(rank, 0, 1, size))
                session.give_up("wrong card of rank " + std::to_string(rank));
        }
    }

    /// Each time as the longest of all ranks'; only rank 0's is complete.
    std::vector<double> longest(const std::string& what, std::vector<double> mine) {
        std::string text;
        for (const double time : mine)
            text += std::to_string(static_cast<long>(time * 1000)) + ",";
        session.put(what + "-" + std::to_string(session.rank()), text);
        session.fence();
        if (session.rank() != 0) return mine;
        for (int rank = 1; rank < session.size(); rank++) {
            const std::string theirs = session.get(what + "-" + std::to_string(rank)).value_or("");
            const char* place = theirs.c_str();
            for (double& time : mine) {
                char* end = nullptr;
                time = std::max(time, static_cast<double>(std::strtol(place, &end, 10)) / 1000);
                place = *end ? end + 1 : end;
            }
        }
        return mine;
    }
};

void report(const char* name, const std::vector<double>& longest, const std::vector<double>& own) {
    const auto [first, middle] = summary(longest);
    std::printf("\"%s\": {\"first\": %.3f, \"median\": %.3f, \"rank0\": %.3f}, ", name, first,
                middle, summary(own).second);
}

}  // namespace

int main(int argc, char** argv) {
    const Options options({{"size", "200"}, {"reps", "11"}, {"read", "0"}, {"warm", "0"}}, argc,
                          argv);
    const auto begin = Clock::now();
    Bench bench{.size = static_cast<size_t>(options.number("size"))};
    PmiSession& session = bench.session;
    session.init();
    const double init = since(begin);
    const int reps = options.number("reps");
    const auto before_fences = Clock::now();
    for (int i = 0; i < 10; ++i)
        session.fence();
    const double of_ten = since(before_fences);
    // Links that are to move to better ones have moved then.
    for (int i = options.number("warm"); i > 0; --i)
        session.fence();
    const auto barrier = bench.times(reps, [&] { session.fence(); });
    const auto put = bench.times(reps, [&] { bench.put_and_fence(); });
    const auto read =
        options.on("read") ? bench.times(1, [&] { bench.read_all(); }) : std::vector<double>{0};
    const auto all_barrier = bench.longest("tb", barrier), all_put = bench.longest("tp", put),
               all_read = bench.longest("tr", read);
    if (session.rank() == 0) {
        std::printf("{");
        report("barrier", all_barrier, barrier);
        report("put_fence", all_put, put);
        std::printf(
            "\"first_ten\": %.3f, \"read_all\": %.3f, \"init_rank0\": %.3f, \"ranks\": %d, "
            "\"size\": %zu, \"reps\": "
            "%d}\n",
            of_ten / 10, all_read.front(), init, session.size(), bench.size, reps);
    }
    session.finalize();
    return 0;
}
