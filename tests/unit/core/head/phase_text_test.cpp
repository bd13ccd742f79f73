// SPDX-License-Identifier: MIT
#include "core/head/phase_text.hpp"

#include <gtest/gtest.h>

#include "tests/unit/golden.hpp"

namespace launch {
namespace {

/// Node i has the one child i + 1.
class Chain final : public Topology {
  public:
    std::string name() const override { return "chain"; }
    void children(NodeIndex v, NodeIndex n, std::vector<NodeIndex>& out) const override {
        out.clear();
        if (v + 1 < n) out.push_back(v + 1);
    }
    NodeIndex parent(NodeIndex v, NodeIndex) const override { return v - 1; }
};

Plan plan_of(std::vector<Host> hosts, uint32_t ranks, bool allow_missing = false) {
    JobSpec spec;
    spec.hosts = std::move(hosts);
    spec.programs = {{.argv = {"app"}, .ranks = ranks}};
    spec.transport.name = "ssh";
    spec.allow_missing = allow_missing;
    const auto chain = [](const std::string&, uint32_t, NodeIndex, std::string*) {
        return Result<std::unique_ptr<Topology>>(std::make_unique<Chain>());
    };
    return *make_plan(std::move(spec), chain);
}

const std::vector<Host> three{{"", "n1", 0, 2}, {"", "n2", 0, 1}, {"joe", "n3", 22, 1}};

TEST(PhaseText, TellsOfThePlan) {
    expect_told({"4 ranks", "n[1-2],joe@n3:22"}, plan_lines(plan_of(three, 4)));
    expect_told({"1 rank", "n1"}, plan_lines(plan_of({three[0]}, 1)));
    expect_told({"1 rank"}, plan_lines(plan_of({}, 1)));
}

TEST(PhaseText, TellsWhatCameOfIt) {
    const auto plan = plan_of(three, 2, true);
    JobRecord record(plan);
    record.node_up(1);
    record.node_up(2);
    expect_told({"2 of 3", "1.5 s"}, up_line(record, milliseconds{1500}));
    record.node_up(3);
    expect_told({"3 hosts", "0.012 s"}, up_line(record, milliseconds{12}));
    expect_told({"2 ranks", "1 host"}, placed_line(plan));
}

TEST(PhaseText, TellsOfTheEnd) {
    const auto plan = plan_of(three, 4);
    JobRecord record(plan);
    PhaseTimes times;
    times.ending = times.began + milliseconds{700};
    const auto over = times.ending + milliseconds{30};
    expect_told({"none of 4", "0.7 s", "0 s", "0.03 s"}, end_line(plan, record, times, over));
    times.up = times.began + milliseconds{200};
    for (const NodeIndex node : {1U, 2U, 3U})
        record.node_up(node);
    record.rank_ended({2, {ExitStatus::Kind::exited, 3}, {}});
    expect_told({"1 of 4", "0.2 s", "0.5 s", "0.03 s"}, end_line(plan, record, times, over));
    times.placed = times.began + milliseconds{300};
    expect_told({"1 of 4", "0.3 s", "0.4 s", "0.03 s"}, end_line(plan, record, times, over));
}

}  // namespace
}  // namespace launch
