// SPDX-License-Identifier: MIT
#include "cmd/jobfile/read_job_file.hpp"

#include <gtest/gtest.h>
#include <span>

#include "cmd/jobfile/split_command.hpp"
#include "tests/unit/golden.hpp"

namespace launch {
namespace {

using Words = std::vector<std::string>;

JobFile read(const std::string& text, const std::string& folder = {},
             Layer layer = Layer::job_file) {
    return read_job_file(text, {"job.toml", folder, layer});
}

Settings settings_of(const std::string& text, const std::string& folder = {}) {
    const auto file = read(text, folder);
    for (const auto& mistake : file.mistakes)
        ADD_FAILURE() << describe(mistake);
    return resolve(std::span(&file.source, 1));
}

TEST(JobFile, SaysWhatOptionsSay) {
    const auto made = settings_of(R"(
        hosts = ["node[1-4]", "gpu1:2"]
        topology = "kary:8"
        timeout = "10m"
        kill-grace = 1.5
        start-limit = 1e7
        liveness = 0
        label = true
        stdin = 3
        genvlist = ["A", "B"]
        propagate = ["stack", "core"]
        env = { COLOUR = "blue", DEPTH = 3 }
        stage = "input.dat:data/"

        [[program]]
        command = "./app --size 'a b' $HOME"
        ranks = 4
        env.MODE = "fast"

        [[program]]
        command = ["worker", "two words"]
        wdir = "/tmp"
    )");
    EXPECT_EQ(made.programs.at(0).host_lists, (Words{"node[1-4]", "gpu1:2"}));
    EXPECT_EQ(made.topology, "kary:8");
    EXPECT_EQ(made.timeout, std::chrono::minutes(10));
    EXPECT_EQ(made.policies.kill_grace, milliseconds(1500));
    EXPECT_EQ(made.policies.liveness, milliseconds(0));
    EXPECT_EQ(made.start_limit, std::chrono::seconds(10'000'000));
    EXPECT_TRUE(made.output.label);
    EXPECT_EQ(made.stdin_target, (StdinTarget{StdinTarget::Kind::rank, 3}));
    EXPECT_EQ(made.inherit.names, (Words{"A", "B"}));
    EXPECT_EQ(made.propagated.count(), 2U);
    EXPECT_EQ(made.env, (Words{"COLOUR=blue", "DEPTH=3"}));
    EXPECT_EQ(made.staged, Words{"input.dat:data/"});
    EXPECT_EQ(made.programs[0].argv, (Words{"./app", "--size", "a b", "$HOME"}));
    EXPECT_EQ(made.programs[0].ranks, 4U);
    EXPECT_EQ(made.programs[0].env, Words{"MODE=fast"});
    EXPECT_EQ(made.programs[1].argv, (Words{"worker", "two words"}));
    EXPECT_EQ(made.programs[1].wdir, "/tmp");
    EXPECT_EQ(named(*made.origins.find("topology")), "topology (job.toml:3:20)");
}

TEST(JobFile, OneProgramNeedsNoTable) {
    const auto made = settings_of("command = 'hostname -f'\nranks = 2\n");
    ASSERT_EQ(made.programs.size(), 1U);
    EXPECT_EQ(made.programs[0].argv, (Words{"hostname", "-f"}));
    EXPECT_EQ(made.programs[0].ranks, 2U);
}

TEST(JobFile, PathsAreThoseBesideTheFile) {
    const auto made = settings_of(R"(
        hostfile = "hosts"
        ssh-config = "none"
        stage = ["a:b", "/c"]
        [[program]]
        command = "bin/app"
        wdir = "run"
        [[program]]
        command = "app"
        hostfile = "-"
    )",
                                  "/jobs/one");
    EXPECT_EQ(made.programs[0].hostfiles, Words{"/jobs/one/hosts"});
    EXPECT_EQ(made.programs[1].hostfiles, Words{"-"});
    EXPECT_EQ(made.transport.ssh_config, "none");
    EXPECT_EQ(made.staged, (Words{"/jobs/one/a:b", "/c"}));
    EXPECT_EQ(made.programs[0].argv, Words{"/jobs/one/bin/app"});
    EXPECT_EQ(made.programs[0].wdir, "/jobs/one/run");
    EXPECT_EQ(made.programs[1].argv, Words{"app"});
}

TEST(JobFile, TellsEachMistakeWithItsPlace) {
    replay_golden([](const std::string& text) {
        const auto file = read(text);
        EXPECT_EQ(file.mistakes.size(), 1U) << text;
        return file.mistakes.empty() ? "" : describe(file.mistakes[0]);
    });
}

TEST(JobFile, TellsTheElementOfAListThatIsWrong) {
    const char* text =
        "command = 'app'\n"
        "hosts = ['n1', 'm[',\n"
        "  'k[']\n"
        "exclude = 'q['\n"
        "export = ['A=1', '=3']\n";
    const auto file = read(text);
    const char* places[] = {
        "job.toml:2:16: ", "job.toml:3:3: ", "job.toml:4:11: ", "job.toml:5:18: "};
    ASSERT_EQ(file.mistakes.size(), std::size(places));
    for (size_t i = 0; i < std::size(places); ++i)
        EXPECT_TRUE(describe(file.mistakes[i]).starts_with(places[i]))
            << describe(file.mistakes[i]);
}

TEST(JobFile, ThatIsNoTomlIsTold) {
    const auto file = read("hosts = [\n  'a',\nranks = 3\n");
    ASSERT_EQ(file.mistakes.size(), 1U);
    EXPECT_EQ(describe(file.mistakes[0]).rfind("job.toml:3:", 0), 0U) << describe(file.mistakes[0]);
    EXPECT_EQ(describe(file.mistakes[0]).find('\n'), std::string::npos);
}

TEST(JobFile, WhoseTablesHaveNoNamesIsTold) {
    for (const std::string_view text : {"[!]\n", "[\x01]\n", "[=", "[[#]]", "[a.!]", "[]"}) {
        const auto file = read(std::string(text));
        ASSERT_EQ(file.mistakes.size(), 1U) << text;
        EXPECT_EQ(describe(file.mistakes[0]).rfind("job.toml:1:", 0), 0U) << text;
    }
}

TEST(JobFile, MayHaveAnyLetterInItsTexts) {
    const auto good =
        read("wdir = \"\"\"/caf\u00e9\\\n  \u00e9\"\"\"\n# \u00e9\ncommand = 'gr\u00fc\u00df'\n");
    EXPECT_TRUE(good.mistakes.empty()) << describe(good.mistakes[0]);
    for (const std::string_view text :
         {"\u00e9 = 1", "label =\u00a0true", "label = \u00e9", "label = [\u0364]"}) {
        const auto bad = read(std::string(text));
        ASSERT_EQ(bad.mistakes.size(), 1U) << text;
        EXPECT_EQ(describe(bad.mistakes[0]).rfind("job.toml:1:", 0), 0U) << text;
    }
}

TEST(JobFile, ThatBreaksOffInAWordIsToldOnOneLine) {
    const auto file = read("label = tru\nhosts = 'a'\n");
    ASSERT_EQ(file.mistakes.size(), 1U);
    const std::string told = describe(file.mistakes[0]);
    EXPECT_NE(told.find("tru\\n"), std::string::npos) << told;
    EXPECT_EQ(told.find('\n'), std::string::npos) << told;
}

TEST(JobFile, TellsAllMistakesInTheirOrder) {
    const auto file =
        read("zoo = 1\nlabel = 2\ndegree = 0\n[[program]]\napple = 1\ncommand = 'a'\n");
    ASSERT_EQ(file.mistakes.size(), 4U);
    const char* places[] = {
        "job.toml:1:1: ", "job.toml:2:9: ", "job.toml:3:10: ", "job.toml:5:1: "};
    for (size_t i = 0; i < file.mistakes.size(); ++i)
        EXPECT_EQ(describe(file.mistakes[i]).rfind(places[i], 0), 0U) << describe(file.mistakes[i]);
}

TEST(JobFile, OfConfigurationHasNoPrograms) {
    const auto file = read("command = 'a'\n[[program]]\ncommand = 'b'\n", {}, Layer::user_file);
    ASSERT_EQ(file.mistakes.size(), 2U);
    EXPECT_NE(describe(file.mistakes[0]).find("command"), std::string::npos);
}

TEST(SplitCommand, IsThatOfAShellThatExpandsNothing) {
    struct {
        const char* text;
        Words words;
    } rows[] = {
        {"", {}},
        {"  ", {}},
        {"a  b\tc\n", {"a", "b", "c"}},
        {"'a b' \"c d\"", {"a b", "c d"}},
        {"a'b'\"c\"d", {"abcd"}},
        {"'' \"\"", {"", ""}},
        {R"(a\ b \" \\)", {"a b", "\"", "\\"}},
        {R"("\$x \" \\ \n")", {R"($x " \ \n)"}},
        {R"('\n')", {R"(\n)"}},
        {"$HOME * ~ `x`", {"$HOME", "*", "~", "`x`"}},
    };
    for (const auto& row : rows) {
        const auto words = split_command(row.text);
        ASSERT_TRUE(words) << row.text;
        EXPECT_EQ(*words, row.words) << row.text;
    }
    for (const char* text : {"'a", "\"a", "a\\", "\"a\\\""})
        EXPECT_FALSE(split_command(text)) << text;
}

}  // namespace
}  // namespace launch
