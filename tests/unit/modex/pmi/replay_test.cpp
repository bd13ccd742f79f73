// SPDX-License-Identifier: MIT
// Sessions of real programs, as their libraries wrote them (tests/fuzz/corpus/pmi).
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <map>

#include "modex/pmi/pmi_front.hpp"

namespace launch {
namespace {

using Kind = Request::Kind;

std::string read_file(const std::string& name) {
    std::ifstream file(std::string(CORPUS "/pmi/") + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// A store of one rank. `asked` has one letter for each request: p(ut), g(et), f(ence), P(ublish),
/// U(npublish), L(ookup), o: get of another job, n and t: put and get of the node, j: get of the
/// job, s(pawn), h: ask the head, a(bort), F(inalize).
class Store {
  public:
    Reply answer(const Request& request) {
        asked += "pgfPULontjshaF"[static_cast<int>(request.kind)];
        switch (request.kind) {
            case Kind::put:
            case Kind::put_node: values_[request.key] = request.value; return {};
            case Kind::get:
            case Kind::get_node:
                return values_.contains(request.key) ? Reply{true, values_[request.key]}
                                                     : Reply{false, "key_not_found"};
            case Kind::get_job: return {false, "key_not_found"};
            default: return {};
        }
    }

    std::string asked;

  private:
    std::map<std::string, std::string> values_;
};

TEST(Replay, sessions_of_real_programs) {
    struct Row {
        const char* file;
        const char* asked;
        bool finalized;
    };
    const Row rows[] = {
        // MPICH 4.0.2. Its MPI_Abort tells nobody, it exits with the code.
        {"mpich-allreduce", "fpfpfgfF", true},
        {"mpich-no-mapping", "pfgfpfpfgfF", true},
        {"mpich-segments", "fppppfggggggggfF", true},
        {"mpich-names", "fPLUfF", true},
        {"mpich-universe", "ffF", true},
        {"mpich-singleton", "fF", true},
        {"mpich-abort", "f", false},
        // libpmi2 of Slurm 22.05.
        {"libpmi2-all", "pnttjfggggPPfLfUsfF", true},
        {"libpmi2-abort", "pnttjfggPPfLfUsa", false},
        // Written by hand.
        {"spawn", "sa", false},
    };
    const RankFacts facts{0, 4, 0, 4, "launch-1-77", "(vector,(0,1,4))", {}};
    for (const auto& row : rows) {
        const std::string bytes = read_file(row.file);
        ASSERT_FALSE(bytes.empty()) << row.file;
        for (const size_t step : {size_t{1}, size_t{13}, bytes.size()}) {
            const auto front = make_pmi_front(facts, PmiOffer::any, 0);
            Store store;
            for (size_t at = 0; at < bytes.size(); at += step) {
                front->feed(std::string_view(bytes).substr(at, step));
                for (;;) {
                    const auto request = front->next();
                    ASSERT_TRUE(request) << row.file << ": " << describe(request.error());
                    if (!request->has_value()) break;
                    front->reply((*request)->ticket, store.answer(**request));
                }
            }
            EXPECT_EQ(store.asked, row.asked) << row.file;
            EXPECT_EQ(front->finalized(), row.finalized) << row.file;
        }
    }
}

}  // namespace
}  // namespace launch
