#include "core/head/phase_text.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

using Lines = std::vector<std::string>;

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
    EXPECT_EQ(plan_lines(plan_of(three, 4)),
              (Lines{"hosts: 3 hosts for 4 ranks: n[1-2],joe@n3:22",
                     "tree: chain by ssh: this machine starts 1 host, and they the others"}));
    EXPECT_EQ(
        plan_lines(plan_of({three[0]}, 1)),
        (Lines{"hosts: 1 host for 1 rank: n1", "tree: chain by ssh: this machine starts 1 host"}));
    EXPECT_EQ(plan_lines(plan_of({}, 1)), Lines{"hosts: this machine, for 1 rank"});
}

TEST(PhaseText, TellsWhatCameOfIt) {
    const auto plan = plan_of(three, 2, true);
    JobRecord record(plan);
    record.node_up(1);
    record.node_up(2);
    EXPECT_EQ(up_line(record, milliseconds{1500}), "up: 2 of 3 hosts after 1.5 s");
    record.node_up(3);
    EXPECT_EQ(up_line(record, milliseconds{12}), "up: all 3 hosts after 0.012 s");
    EXPECT_EQ(placed_line(plan), "ranks: 2 ranks placed on 1 host");
}

TEST(PhaseText, TellsOfTheEnd) {
    const auto plan = plan_of(three, 4);
    JobRecord record(plan);
    PhaseTimes times;
    times.ending = times.began + milliseconds{700};
    const auto over = times.ending + milliseconds{30};
    EXPECT_EQ(end_line(plan, record, times, over),
              "end: none of 4 ranks failed; start 0.7 s, run 0 s, end 0.03 s");
    times.up = times.began + milliseconds{200};
    for (const NodeIndex node : {1U, 2U, 3U})
        record.node_up(node);
    record.rank_ended({2, {ExitStatus::Kind::exited, 3}, {}});
    EXPECT_EQ(end_line(plan, record, times, over),
              "end: 1 of 4 ranks failed; start 0.2 s, run 0.5 s, end 0.03 s");
    times.placed = times.began + milliseconds{300};
    EXPECT_EQ(end_line(plan, record, times, over),
              "end: 1 of 4 ranks failed; start 0.3 s, run 0.4 s, end 0.03 s");
}

}  // namespace
}  // namespace launch
