#include "cmd/show/dry_run.hpp"

#include <gtest/gtest.h>

#include "cmd/show/dry_run_json.hpp"
#include "cmd/show/rank_text.hpp"
#include "cmd/wiring.hpp"
#include "tests/unit/cmd/words.hpp"

namespace launch {
namespace {

std::string command(const Host& host) {
    return "ssh " + host.name + " launch";
}

std::string drawn(const std::string& text, const ViewSettings& view = {}) {
    return "\n" + plan_text(plan_of(text), view, {command, {}});
}

TEST(DryRun, ThisMachine) {
    EXPECT_EQ(drawn("-n 4 hostname -f", {.explain = true}), R"(
job        4 ranks on this machine, 6 slots
program    hostname -f (ranks 0-3)
why        no hosts are given: the ranks are children of launch
)");
}

TEST(DryRun, ExplainsTheAllocation) {
    EXPECT_EQ(drawn("--allocation none -n 4 app", {.explain = true}), R"(
job        4 ranks on this machine, 6 slots
program    app (ranks 0-3)
allocation none: --allocation none
why        no hosts are given: the ranks are children of launch
)");
    auto plan = plan_of("-hosts a:2,b app");
    plan.spec.allocation = "LSF, by LSB_MCPU_HOSTS";
    EXPECT_NE(
        plan_text(plan, {.explain = true}, {command, {}})
            .find(
                "program    app (ranks 0-2)\nallocation LSF, by LSB_MCPU_HOSTS\ntransport  ssh\n"),
        std::string::npos);
    EXPECT_EQ(plan_text(plan, {}, {command, {}}).find("LSF"), std::string::npos);
    EXPECT_NE(plan_json(plan, {.explain = true}, {command, {}})
                  .find(R"("allocation": "LSF, by LSB_MCPU_HOSTS",)"),
              std::string::npos);
    EXPECT_EQ(plan_json(plan, {}, {}).find("LSF"), std::string::npos);
}

TEST(DryRun, ShowsTheHostsOfEachProgram) {
    EXPECT_EQ(drawn("-k 4 -host a:4 -n 1 ./master : -host n[1-3] ./worker : -n 1 ./io"), R"(
job        5 ranks on 4 hosts, 1 to 2 a host, block
program    ./master (rank 0) on a
program    ./worker (ranks 1-3) on n[1-3]
program    ./io (rank 4)
transport  ssh
topology   kary:4: depth 1, largest degree 4
links      4 at the head, 1 at 4 hosts

head (this machine)
├── a (ranks 0, 4)
├── n1 (rank 1)
├── n2 (rank 2)
└── n3 (rank 3)
)");
    const auto json = plan_json(plan_of("-host a,b -n 1 x : -host c -n 2 y"), {}, {});
    EXPECT_NE(
        json.find(
            R"([{"argv": ["x"], "ranks": 1, "nodes": [1]}, {"argv": ["y"], "ranks": 2, "nodes": [2]}])"),
        json.npos)
        << json;
}

TEST(DryRun, ExplainsWhatEachProgramIsOffered) {
    const auto plan = plan_of("-n 1 a : -n 2 b");
    EXPECT_EQ("\n" + plan_text(plan, {.explain = true}, {{}, {"PMIx, as asked", "nothing"}}), R"(
job        3 ranks on this machine, 6 slots
program    a (rank 0)
offers     PMIx, as asked
program    b (ranks 1-2)
offers     nothing
why        no hosts are given: the ranks are children of launch
)");
}

TEST(DryRun, ProgramsCanBeCopiedIntoAShell) {
    auto plan = plan_of("-n 1 sh -c X");
    plan.spec.programs[0].argv[2] = "echo $HOME \"q\"";
    EXPECT_NE(plan_text(plan, {}, {}).find("program    sh -c 'echo $HOME \"q\"' (rank 0)"),
              std::string::npos)
        << plan_text(plan, {}, {});
    plan.spec.programs[0].argv[2] = "bell\a";
    EXPECT_EQ(plan_text(plan, {}, {}).find('\a'), std::string::npos);
}

TEST(DryRun, TheUsualRun) {
    EXPECT_EQ(drawn("-k 32 -hosts node[001-900] ./app"), R"(
job        900 ranks on 900 hosts, 1 a host, block
program    ./app (ranks 0-899)
transport  ssh
topology   kary:32: depth 2, largest degree 32
links      32 at the head, 1 at 868 hosts, 28 at 28 hosts, 29 at 4 hosts

head (this machine)
├── node001 (rank 0)
│   └── 28 leaves: node[002-029] (ranks 1-28)
├── 3 more alike: node[030-116] (ranks 29-115)
└── 28 subtrees of 28 nodes: node[117-900] (ranks 116-899)
)");
}

TEST(DryRun, DrawsTheRoutingTreeToo) {
    EXPECT_EQ(drawn("-k 2 --routing binomial -hosts n[1-4] ./app"), R"(
job        4 ranks on 4 hosts, 1 a host, block
program    ./app (ranks 0-3)
transport  ssh
topology   kary:2: depth 2, largest degree 2
links      2 at the head, 1 at 2 hosts, 2 at 2 hosts

head (this machine)
├── n1 (rank 0)
│   └── n2 (rank 1)
└── n3 (rank 2)
    └── n4 (rank 3)

routing    binomial: depth 2, largest degree 3
links      3 at the head, 1 at 3 hosts, 2 at 1 host

head (this machine)
├── n1 (rank 0)
├── n2 (rank 1)
│   └── n3 (rank 2)
└── n4 (rank 3)
)");
    const std::string start = drawn("-k 2 -hosts n[1-4] ./app");
    EXPECT_EQ(drawn("-k 2 --routing spawn -hosts n[1-4] ./app"), start);
    EXPECT_EQ(drawn("-k 2 --routing kary:2 -hosts n[1-4] ./app"), start);
}

TEST(DryRun, ListsTheFilesThatAreStaged) {
    auto plan = plan_of("-hosts a ./app");
    plan.spec.stage.files = {{"/home/joe/in", "data/in", 12, 0644}, {"/x", "/tmp/x y", 0, 0644}};
    const std::string text = plan_text(plan, {}, {command, {}});
    EXPECT_NE(text.find("stage      /home/joe/in (12 B) to $LAUNCH_STAGE_DIR/data/in\n"
                        "stage      /x (0 B) to \"/tmp/x y\"\n"),
              text.npos)
        << text;
    EXPECT_NE(
        plan_json(plan, {}, {})
            .find(R"("stage": [{"source": "/home/joe/in", "dest": "data/in", "bytes": 12}, )"),
        std::string::npos);
}

TEST(DryRun, SeveralProgramsSlotsAndUsersExplained) {
    EXPECT_EQ(drawn("-n 1 ./master : ./worker a\nb -l : -k 2 -hosts a:4,joe@b:22:2,c:3 -n 2 w",
                    {.explain = true}),
              R"(
job        9 ranks on 3 hosts, 2 to 4 a host, block
program    ./master (rank 0)
program    ./worker a b -l (ranks 1-6)
program    w (ranks 7-8)
transport  ssh
topology   kary:2: depth 2, largest degree 2
links      2 at the head, 1 at 2 hosts, 2 at 1 host
why        kary:2: as asked
push       a host without this build of launch is sent it, by who starts it

head (this machine)
├── a (ranks 0-3)
│   └── joe@b:22 (ranks 4-5)
└── c (ranks 6-8)

head starts a:
  ssh a launch
and alike, with the name in the place of a:
  head starts c
  a starts joe@b:22
(what a host starts goes by the ssh config there)
)");
}

TEST(DryRun, PortStandsWithTheSlotsThatWereGiven) {
    const auto shown = [](const std::string& hosts) {
        const auto text = plan_text(plan_of("-hosts " + hosts + " app"), {}, {});
        return text.substr(text.find("head (this machine)"));
    };
    EXPECT_EQ(shown("n1:22:3,n2:4"),
              "head (this machine)\n├── n1:22:3 (ranks 0-2)\n└── n2 (ranks 3-6)\n");
    EXPECT_EQ(shown("joe@n1:22:3"), "head (this machine)\n└── joe@n1:22 (ranks 0-2)\n");
    EXPECT_EQ(shown("[::1]:22:2"), "head (this machine)\n└── [::1]:22:2 (ranks 0-1)\n");
}

TEST(DryRun, FoldsCommandsThatAreAlike) {
    const auto text = drawn("--topology flat -hosts n[1-20] app", {.explain = true});
    EXPECT_TRUE(text.ends_with(R"(
head starts n1:
  ssh n1 launch
and alike, with the name in the place of n1:
  head starts n[2-4]
and 16 more alike
)")) << text;
    const auto full = drawn("--topology flat -hosts n[1-20] app", {.explain = true, .full = true});
    EXPECT_TRUE(full.ends_with("of n1:\n  head starts n[2-20]\n")) << full;
    EXPECT_EQ(full.find("ssh n2 "), full.npos) << full;
    EXPECT_NE(full.find("├── n19 (rank 18)\n"), full.npos) << full;
}

TEST(DryRun, RanksInWords) {
    struct {
        const char* row;
        PlacementRequest request;
        size_t first;
        size_t last;
        const char* text;
    } rows[] = {
        {"one", {{1, 1}}, 1, 1, "rank 1"},
        {"a block", {{4, 4}}, 1, 1, "ranks 4-7"},
        {"blocks", {{4, 2, 3}}, 0, 1, "ranks 0-5"},
        {"in turn", {{2, 2, 2}, 0, 0, Mapping::cyclic}, 1, 1, "ranks 1, 4"},
        {"some in turn", {{2, 2, 2}, 0, 0, Mapping::cyclic}, 1, 2, "ranks 1-2, 4-5"},
        {"all in turn", {{2, 2, 2}, 0, 0, Mapping::cyclic}, 0, 2, "ranks 0-5"},
        {"unlike in turn", {{2, 1, 2}, 0, 0, Mapping::cyclic}, 0, 1, "3 ranks"},
        {"too many rounds", {{9, 9, 9}, 0, 0, Mapping::cyclic}, 0, 1, "18 ranks"},
        {"none", {{1, 1}, 1}, 1, 1, "0 ranks"},
    };
    for (const auto& row : rows) {
        const auto placement = place(row.request);
        ASSERT_TRUE(placement) << row.row;
        EXPECT_EQ(ranks_of(*placement, row.first, row.last), row.text) << row.row;
    }
}

TEST(DryRun, ShowsWhatBecomesOfMissingHosts) {
    const std::string head =
        "\njob        3 ranks on 3 hosts, 1 a host, block\n"
        "program    ./app (ranks 0-2)\n";
    const std::string when = "; ranks are placed when all hosts are up or known not to be\n";
    EXPECT_EQ(drawn("-k 1 -hosts n[1-5]:1 --spares 2 ./app"),
              head + "missing    replaced by n[4-5]" + when + R"(transport  ssh
topology   chain: depth 5, largest degree 1
links      1 at the head, 1 at 1 host, 2 at 4 hosts

head (this machine)
└── n1 (rank 0)
    └── n2 (rank 1)
        └── n3 (rank 2)
            └── n4 (spare)
                └── n5 (spare)
)");
    EXPECT_NE(drawn("-k 1 -hosts n[1-30] --spares 2 ./app").find("n[1-30] (ranks 0-27, 2 spares)"),
              std::string::npos);
    EXPECT_EQ(drawn("-k 8 -hosts n[1-4] --spares 1 --allow-missing ./app", {.full = true}),
              head + "missing    replaced by n4, then left out" + when + R"(transport  ssh
topology   kary:8: depth 1, largest degree 4
links      4 at the head, 1 at 4 hosts

head (this machine)
├── n1 (rank 0)
├── n2 (rank 1)
├── n3 (rank 2)
└── n4 (spare)
)");
    EXPECT_NE(drawn("-hosts n[1-3] --allow-missing ./app").find("missing    left out;"),
              std::string::npos);
    EXPECT_NE(plan_json(plan_of("-hosts a,b --spares 1 app"), {}, {})
                  .find("\"slots\": 1, \"spare\": true, \"parent\": 0, \"ranks\": []}"),
              std::string::npos);
}

TEST(DryRun, Json) {
    EXPECT_EQ("\n" + plan_json(plan_of("-k 1 -hosts a,joe@b:22:2 app \"x\""), {.explain = true},
                               {command, {"PMIx, as asked"}}),
              R"(
{"version": 1, "ranks": 3, "mapping": "block", "local": false,
  "programs": [{"argv": ["app", "\"x\""], "ranks": 3, "offer": "PMIx, as asked"}],
  "transport": "ssh",
  "topology": "chain", "depth": 2, "degree": 1,
  "reason": "chain: as asked", "push": "auto",
  "hosts": [
    {"node": 1, "name": "a", "slots": 1, "parent": 0, "ranks": [[0, 1, 1]], "start": "ssh a launch"},
    {"node": 2, "name": "b", "user": "joe", "port": 22, "slots": 2, "parent": 1, "ranks": [[1, 2, 1]], "start": "ssh b launch"}
  ]
}
)");
    EXPECT_EQ("\n" + plan_json(plan_of("-n 2 app"), {}, {}), R"(
{"version": 1, "ranks": 2, "mapping": "block", "local": true,
  "programs": [{"argv": ["app"], "ranks": 2}],
  "transport": "local",
  "topology": "flat", "depth": 1, "degree": 1,
  "hosts": [
    {"node": 1, "name": "localhost", "slots": 6, "parent": 0, "ranks": [[0, 2, 1]]}
  ]
}
)");
}

TEST(DryRun, AMillionHostsStayShort) {
    const auto text = drawn("-k 32 -hosts n[0000001-1000000] ./app");
    EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 20) << text;
    EXPECT_NE(text.find("└── 31 more alike: n[0031251-1000000] (ranks 31250-999999)\n"), text.npos);
}

}  // namespace
}  // namespace launch
