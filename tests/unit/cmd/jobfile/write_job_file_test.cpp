// SPDX-License-Identifier: MIT
#include "cmd/jobfile/write_job_file.hpp"

#include <gtest/gtest.h>
#include <map>
#include <span>

#include "cmd/jobfile/read_job_file.hpp"
#include "cmd/options/read_source.hpp"
#include "tests/unit/cmd/words.hpp"

namespace launch {
namespace {

using Words = std::vector<std::string>;

Settings read_again(const std::string& text) {
    const auto file = read_job_file(text, {"job.toml", {}, Layer::job_file});
    for (const auto& mistake : file.mistakes)
        ADD_FAILURE() << describe(mistake) << "\n" << text;
    return resolve(std::span(&file.source, 1));
}

Settings settings_of(const Words& words) {
    auto settings = parse_command_line(words);
    EXPECT_TRUE(settings) << describe(settings.error());
    return *std::move(settings);
}

/// Two values that an option may have, the second not its default.
Words values_for(const OptionRow& row) {
    static const std::map<std::string_view, Words> special{
        {"topology", {"kary:3"}},
        {"routing", {"hypercube"}},
        {"link-ports", {"5000-5100"}},
        {"stage", {"a b:c", "/d\"e\\"}},
        {"export", {"A", "B=c d"}},
        {"map", {"ppr:2:socket"}},
        {"bind", {"user:0-3,4+6"}},
        {"gpus-per-rank", {"2"}},
        {"transport", {"command:rsh {host}"}},
    };
    const auto found = special.find(row.key);
    if (found != special.end()) return found->second;
    switch (row.value.kind) {
        case Kind::flag: return {"true"};
        case Kind::number: return {"7"};
        case Kind::time: return {"1500ms"};
        case Kind::choice: return {row.value.words().back().text};
        case Kind::list: return {"stack,core"};
        case Kind::hosts: return {"a[1-3],b:2", "c"};
        case Kind::pair: return {"A=1", "B=two words = \"x\"\n"};
        default: return {"some/path with blanks"};
    }
}

/// What somebody sees of all options: each row's texts.
Words seen(const Settings& settings) {
    Words all;
    const ProgramSettings none;
    const auto add = [&](Scope scope, const View& view, const Origins& origins) {
        for (const auto* row : all_options()) {
            if (row->scope != scope) continue;
            std::string line(row->key);
            line += origins.has(row->key) ? " given" : "";
            for (const auto& text : row->value.write(view))
                line += " <" + text + ">";
            all.push_back(line);
        }
    };
    add(Scope::job, {settings, none}, settings.origins);
    for (const auto& program : settings.programs) {
        all.emplace_back("program");
        all.insert(all.end(), program.argv.begin(), program.argv.end());
        add(Scope::program, {settings, program}, program.origins);
    }
    return all;
}

TEST(WriteJobFile, VariablesComeBackInTheirOrder) {
    const auto settings = settings_of(
        words_of("--mca z 1 --mca b 2 --mca a 3 -genv Z 1 -genv A 2 -env Y 1 -env B 2 app"));
    const auto again = read_again(write_job_file(settings, "/here"));
    EXPECT_EQ(again.mca, (Words{"z=1", "b=2", "a=3"}));
    EXPECT_EQ(again.env, (Words{"Z=1", "A=2"}));
    EXPECT_EQ(again.programs.at(0).env, (Words{"Y=1", "B=2"}));
}

TEST(WriteJobFile, EachOptionComesBackAsItWas) {
    for (const auto* row : all_options()) {
        if (row->scope == Scope::invocation) continue;
        Source source;
        auto& program = source.programs.emplace_back();
        program.argv = {"app", "two words", "\"\\\t\x7f", ""};
        for (const auto& value : values_for(*row)) {
            const Given given{row, value, {.layer = Layer::command_line, .name = "-x"}};
            ASSERT_FALSE(objection_to(given)) << row->key;
            (row->scope == Scope::program ? program.given : source.given).push_back(given);
        }
        const auto settings = resolve(std::span(&source, 1));
        const auto text = write_job_file(settings, {});
        const auto again = read_again(text);
        EXPECT_EQ(seen(again), seen(settings)) << text;
        // That it is given at all shows, too: the settings are not those of nothing.
        EXPECT_NE(seen(settings), seen(settings_of({"app", "two words", "\"\\\t\x7f", ""})))
            << row->key;
    }
}

TEST(WriteJobFile, AllOptionsTogetherComeBack) {
    const auto settings = settings_of(words_of(
        "-n 2 -wdir /d -env A 1 -x B=2 -hosts a,b:2 -genv C 3 -genvlist X,Y --exclude b -ppn 3 "
        "-map-by node --propagate none --stage f:g --stage-program --topology kary:3 --routing "
        "flat "
        "--transport openssh --links direct --link-ports 5-6 -l --stdin all --stats json "
        "--on-host-loss continue --timeout 1h --kill-grace 200ms --no-keep-going app 1 : -envnone "
        "-f file other"));
    const auto again = read_again(write_job_file(settings, {}));
    EXPECT_EQ(seen(again), seen(settings)) << write_job_file(settings, {});
}

TEST(WriteJobFile, WhatAnOptionImpliesComesBackAsItWasTakenBack) {
    const auto settings =
        settings_of(words_of("--independent --no-label --no-allow-missing -n 2 app"));
    const auto again = read_again(write_job_file(settings, {}));
    EXPECT_EQ(seen(again), seen(settings)) << write_job_file(settings, {});
}

TEST(WriteJobFile, AZeroThatTakesANumberBackIsWritten) {
    const auto text = write_job_file(settings_of(words_of("-ppn 0 --spares 0 -hosts a app")), {});
    for (const char* line : {"ppn = 0\n", "spares = 0\n"})
        EXPECT_NE(text.find(line), text.npos) << line << "\n" << text;
}

TEST(WriteJobFile, IsReadByPeople) {
    EXPECT_EQ(write_job_file(
                  settings_of(words_of(
                      "-k 4 --label --timeout 90s -genv A 1 -hosts n[1-2] -n 2 ./app x : -n 1 b")),
                  {}),
              "env = { \"A\" = \"1\" }\n"
              "degree = 4\n"
              "label = true\n"
              "timeout = \"90s\"\n"
              "\n"
              "[[program]]\n"
              "command = [\"./app\", \"x\"]\n"
              "ranks = 2\n"
              "hosts = \"n[1-2]\"\n"
              "\n"
              "[[program]]\n"
              "command = [\"b\"]\n"
              "ranks = 1\n");
}

TEST(WriteJobFile, PathsHoldWhereverTheFileIsPut) {
    const auto text =
        write_job_file(settings_of(words_of("-f h --ssh-config none --stage a:b --fetch x:y:z "
                                            "--fetch /r:/d -wdir w ./app : -f - -n 1 bin/x : "
                                            "-f /abs -n 1 y")),
                       "/here");
    for (const char* line :
         {"hostfile = \"/here/h\"", "ssh-config = \"none\"", "stage = \"/here/a:b\"",
          "fetch = [\"x:y:/here/z\", \"/r:/d\"]", "wdir = \"/here/w\"",
          "command = [\"/here/w/./app\"]", "hostfile = \"-\"", "command = [\"/here/bin/x\"]",
          "hostfile = \"/abs\"", "command = [\"y\"]"})
        EXPECT_NE(text.find(std::string(line) + "\n"), text.npos) << line << "\n" << text;
}

TEST(CommentedConfig, SaysNothingUntilALineIsTakenIn) {
    const auto text = commented_config();
    const auto file = read_job_file(text, {"config.toml", {}, Layer::user_file});
    EXPECT_TRUE(file.mistakes.empty());
    EXPECT_TRUE(file.source.given.empty());
    for (const auto* row : all_options()) {
        const std::string line = "\n# " + std::string(row->key) + " = ";
        const auto at = text.find(line);
        EXPECT_EQ(at != text.npos, row->scope != Scope::invocation) << row->key;
        EXPECT_TRUE(at == text.npos || text.find(line, at + 1) == text.npos) << row->key;
    }
}

/// The lines that are options, taken in.
Words lines_to_take_in() {
    std::istringstream lines(commented_config());
    Words taken;
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(line.size(), 80U) << line;
        if (line.starts_with("# ")) taken.push_back(line.substr(2));
    }
    return taken;
}

void expect_settings(const std::string& text, size_t count) {
    const auto file = read_job_file(text, {"config.toml", {}, Layer::user_file});
    for (const auto& mistake : file.mistakes)
        ADD_FAILURE() << describe(mistake) << "\n" << text;
    EXPECT_EQ(file.source.given.size(), count) << text;
}

TEST(CommentedConfig, EachOfItsLinesCanBeTakenIn) {
    std::string all;
    const auto lines = lines_to_take_in();
    for (const auto& line : lines) {
        expect_settings(line, 1);
        all += line + "\n";
    }
    EXPECT_GT(lines.size(), 40U);
    expect_settings(all, lines.size());
}

TEST(CommentedConfig, TellsExamplesFromDefaults) {
    const auto text = commented_config();
    for (const char* part : {"## Not set: one for each slot. An example:\n# ranks = 4\n",
                             "## put the rank before every line\n# label = false\n",
                             " + 1 s a host. An example:\n# start-limit = \"5m\"\n"})
        EXPECT_NE(text.find(part), text.npos) << part << text;
}

}  // namespace
}  // namespace launch
