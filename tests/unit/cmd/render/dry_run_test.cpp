// SPDX-License-Identifier: MIT
#include "cmd/render/dry_run.hpp"

#include <gtest/gtest.h>

#include "cmd/wiring.hpp"
#include "tests/unit/cmd/words.hpp"
#include "tests/unit/golden.hpp"

namespace launch {
namespace {

std::string command(const Host& host) {
    return "ssh " + host.name + " launch";
}

std::string drawn(const std::string& text, const ViewSettings& view = {}) {
    return "\n" + plan_text(plan_of(text), view, {command, {}});
}

/// Compares the view of these words with a golden file.
void expect_drawn(const std::string& words, const ViewSettings& view = {}) {
    expect_golden(words + (view.explain ? " --explain" : "") + (view.full ? " --full" : ""),
                  plan_text(plan_of(words), view, {command, {}}));
}

TEST(DryRun, ThisMachine) {
    expect_drawn("-n 4 hostname -f", {.explain = true});
}

TEST(DryRun, ExplainsTheAllocation) {
    expect_drawn("--allocation none -n 4 app", {.explain = true});
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
    expect_drawn("-k 4 -host a:4 -n 1 ./master : -host n[1-3] ./worker : -n 1 ./io");
    const auto json = plan_json(plan_of("-host a,b -n 1 x : -host c -n 2 y"), {}, {});
    for (const char* const part : {R"("ranks":1,"nodes":[1])", R"("ranks":2,"nodes":[2])"})
        EXPECT_NE(json.find(part), json.npos) << json;
}

TEST(DryRun, ExplainsWhatEachProgramIsOffered) {
    const auto plan = plan_of("-n 1 a : -n 2 b");
    expect_golden("PMIx for the first, nothing for the second",
                  plan_text(plan, {.explain = true}, {{}, {"PMIx, as asked", "nothing"}}));
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
    expect_drawn("-k 32 -hosts node[001-900] ./app");
}

TEST(DryRun, DrawsTheRoutingTreeToo) {
    expect_drawn("-k 2 --routing binomial -hosts n[1-4] ./app");
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
    const auto json = plan_json(plan, {}, {});
    EXPECT_NE(json.find(R"("dest":"data/in","bytes":12)"), json.npos) << json;
}

TEST(DryRun, SeveralProgramsSlotsAndUsersExplained) {
    expect_drawn("-n 1 ./master : ./worker a\nb -l : -k 2 -hosts a:4,joe@b:22:2,c:3 -n 2 w",
                 {.explain = true});
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
    expect_drawn("-k 1 -hosts n[1-5]:1 --spares 2 ./app");
    EXPECT_NE(drawn("-k 1 -hosts n[1-30] --spares 2 ./app").find("n[1-30] (ranks 0-27, 2 spares)"),
              std::string::npos);
    expect_drawn("-k 8 -hosts n[1-4] --spares 1 --allow-missing ./app", {.full = true});
    EXPECT_NE(drawn("-hosts n[1-3] --allow-missing ./app").find("missing    left out;"),
              std::string::npos);
    EXPECT_NE(plan_json(plan_of("-hosts a,b --spares 1 app"), {}, {})
                  .find("\"slots\":1,\"spare\":true,\"parent\":0,\"ranks\":[]}"),
              std::string::npos);
}

TEST(DryRun, Json) {
    expect_golden("hosts a and b", plan_json(plan_of("-k 1 -hosts a,joe@b:22:2 app \"x\""),
                                             {.explain = true}, {command, {"PMIx, as asked"}}));
    expect_golden("this machine", plan_json(plan_of("-n 2 app"), {}, {}));
}

TEST(DryRun, AMillionHostsStayShort) {
    const auto text = drawn("-k 32 -hosts n[0000001-1000000] ./app");
    EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 20) << text;
    EXPECT_NE(text.find("└── 31 more alike: n[0031251-1000000] (ranks 31250-999999)\n"), text.npos);
}

}  // namespace
}  // namespace launch
