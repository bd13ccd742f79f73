// SPDX-License-Identifier: MIT
#include "cmd/options/source.hpp"

#include <gtest/gtest.h>

#include "cmd/options/read_source.hpp"
#include "cmd/options/table.hpp"
#include "tests/unit/cmd/words.hpp"

namespace launch {
namespace {

using Words = std::vector<std::string>;

/// The words of a command line as if this layer had said them.
Source said_by(Layer layer, const std::string& text) {
    auto source = read_command_line(words_of(text));
    EXPECT_TRUE(source) << text;
    const auto mark = [&](std::vector<Given>& all) {
        for (auto& given : all)
            given.origin.layer = layer;
    };
    mark(source->given);
    for (auto& program : source->programs)
        mark(program.given);
    return *std::move(source);
}

/// What holds for all programs, without one of its own.
Source for_all(Layer layer, const std::string& options) {
    auto source = said_by(layer, options + " app");
    for (auto& given : source.programs[0].given)
        source.given.push_back(std::move(given));
    source.programs.clear();
    return source;
}

Settings resolved(const std::vector<Source>& sources) {
    return resolve(sources);
}

TEST(Source, TheStrongestLayerWinsWholly) {
    const auto made = resolved({for_all(Layer::user_file, "--timeout 5 -k 3 --stage a --stage b"),
                                for_all(Layer::environment, "--timeout 6 --stage c"),
                                said_by(Layer::command_line, "--timeout 7 app")});
    EXPECT_EQ(made.timeout, milliseconds(7000));
    EXPECT_EQ(made.origins.find("timeout")->layer, Layer::command_line);
    EXPECT_EQ(made.degree, 3U);
    EXPECT_EQ(made.origins.find("degree")->layer, Layer::user_file);
    EXPECT_EQ(made.staged, Words{"c"});
    EXPECT_FALSE(made.origins.has("spares"));
}

TEST(Source, WithinOneLayerTheLastWordCountsAndListsGrow) {
    const auto made = resolved({said_by(Layer::command_line, "-k 2 -k 4 --stage a --stage b app")});
    EXPECT_EQ(made.degree, 4U);
    EXPECT_EQ(made.staged, (Words{"a", "b"}));
}

TEST(Source, ASessionNeedsNoNameBeforeAnotherOption) {
    const struct {
        const char* words;
        const char* session;
    } rows[] = {
        {"--session -n 4 app", "any"},   {"--session --label app", "any"},
        {"--session -- app", "any"},     {"--session s1 app", "s1"},
        {"--session=s1 -n 4 app", "s1"}, {"-n 2 app", ""},
    };
    for (const auto& row : rows) {
        const auto made = resolved({said_by(Layer::command_line, row.words)});
        EXPECT_EQ(made.session, row.session) << row.words;
    }
}

TEST(Source, AFlagCanBeTakenBack) {
    const auto made = resolved({for_all(Layer::user_file, "-l --keep-going"),
                                said_by(Layer::command_line, "--no-label app")});
    EXPECT_FALSE(made.output.label);
    EXPECT_TRUE(made.origins.has("label"));
    EXPECT_TRUE(made.policies.keep_going);
}

TEST(Source, OneOfAFamilyReplacesTheOthers) {
    const auto made = resolved({for_all(Layer::job_file, "-hosts a,b --topology binomial"),
                                said_by(Layer::command_line, "-f file -k 4 app")});
    EXPECT_EQ(made.programs[0].host_lists, Words{});
    EXPECT_EQ(made.programs[0].hostfiles, Words{"file"});
    EXPECT_EQ(made.topology, "");
    EXPECT_EQ(made.degree, 4U);
    const auto same_layer = resolved({said_by(Layer::command_line, "--topology kary -k 4 app")});
    EXPECT_EQ(same_layer.topology, "kary");
}

/// As text, each setting that --independent implies: "keep-going missing continue %h: ".
std::string told_apart(const Settings& line) {
    std::string text = line.independent ? "independent" : "";
    if (line.policies.keep_going) text += " keep-going";
    if (line.allow_missing) text += " missing";
    if (line.policies.host_loss == HostLoss::go_on) text += " continue";
    if (line.output.label) text += " label";
    return text + " " + line.output.label_pattern;
}

TEST(Source, AnOptionImpliesOthersUnlessTheyAreGivenThere) {
    const struct {
        const char* config;
        const char* words;
        const char* settings;
    } rows[] = {
        {"", "app", " "},
        {"", "--independent app", "independent keep-going missing continue %h: "},
        {"", "--independent --no-keep-going app", "independent missing continue %h: "},
        {"", "--no-keep-going --independent app", "independent missing continue %h: "},
        {"", "--label-pattern %r --independent app", "independent keep-going missing continue %r"},
        {"", "--independent -l app", "independent keep-going missing continue label "},
        {"", "--independent --no-label app", "independent keep-going missing continue "},
        {"", "--independent --no-independent app", " "},
        {"", "--no-independent --independent app", "independent keep-going missing continue %h: "},
        {"--no-keep-going --label-pattern %r", "--independent app",
         "independent keep-going missing continue %h: "},
        {"-l", "--independent app", "independent keep-going missing continue %h: "},
        {"--independent", "app", "independent keep-going missing continue %h: "},
        {"--independent", "--on-host-loss abort app", "independent keep-going missing %h: "},
        {"--independent", "--no-independent app", " "},
        {"--independent --keep-going", "--no-independent app", " keep-going "},
        {"--no-independent", "--independent app", "independent keep-going missing continue %h: "},
    };
    for (const auto& row : rows) {
        const auto made = resolved(
            {for_all(Layer::user_file, row.config), said_by(Layer::command_line, row.words)});
        EXPECT_EQ(told_apart(made), row.settings) << row.config << " | " << row.words;
    }
}

TEST(Source, WhatIsImpliedComesFromTheOptionThatImpliesIt) {
    const auto made = resolved({said_by(Layer::command_line, "--independent -l app")});
    EXPECT_EQ(made.origins.find("keep-going")->name, "--independent");
    EXPECT_EQ(made.origins.find("label")->name, "-l");
    EXPECT_FALSE(made.origins.has("label-pattern"));
    EXPECT_EQ(spelled(made, "on-host-loss", "continue"), "--independent");
    EXPECT_EQ(spelled(made, "routing", "flat"), "--routing flat");
}

TEST(Source, OneWordOnLabelsReplacesAnother) {
    const struct {
        const char* config;
        const char* words;
        const char* settings;
    } rows[] = {
        {"--label-pattern %r", "--no-label app", " "},
        {"--label-pattern %r", "-l app", " label "},
        {"-l", "--label-pattern %r app", " %r"},
        {"", "-l --label-pattern %r app", " label %r"},
    };
    for (const auto& row : rows) {
        const auto made = resolved(
            {for_all(Layer::user_file, row.config), said_by(Layer::command_line, row.words)});
        EXPECT_EQ(told_apart(made), row.settings) << row.config << " | " << row.words;
    }
}

TEST(Source, VariablesOfAllLayersComeTogether) {
    const auto made = resolved({for_all(Layer::user_file, "-genv A 1 -genv B 1 -env C 1"),
                                said_by(Layer::command_line, "-genv A 2 -env D 2 app")});
    EXPECT_EQ(made.env, (Words{"B=1", "A=2"}));
    EXPECT_EQ(made.programs[0].env, (Words{"C=1", "D=2"}));
    const auto origins = made.origins.all_of("env");
    ASSERT_EQ(origins.size(), 2U);
    EXPECT_EQ(origins[0].layer, Layer::user_file);
    EXPECT_EQ(origins[1].layer, Layer::command_line);
}

TEST(Source, OfAVariableTheStrongestLayerCountsWhateverItsOption) {
    struct {
        const char* weaker;
        const char* stronger;
        Words mca, env, exported, own;
    } rows[] = {
        {"-genv A 1", "-x A=2 app", {}, {"A=1"}, {"A=2"}, {}},  // -x is set after -genv
        {"-x A=1", "-genv A 2 app", {}, {"A=2"}, {}, {}},
        {"-x A=1 -x B=1", "-x B=2 -x C app", {}, {}, {"A=1", "B=2", "C"}, {}},
        {"-env A 1", "-x A app", {}, {}, {"A"}, {}},
        {"-env A 1", "-genv A 2 app", {}, {"A=2"}, {}, {}},
        {"-x A=1", "-env A 2 app", {}, {}, {}, {"A=2"}},
        {"-genv OMPI_MCA_b 1", "--mca b 2 app", {"b=2"}, {}, {}, {}},
        {"-env OMPI_MCA_b 1 -env b 1", "--mca b 2 app", {"b=2"}, {}, {}, {"b=1"}},
        {"--mca b 1", "-genv OMPI_MCA_b 2 app", {}, {"OMPI_MCA_b=2"}, {}, {}},
        {"", "-genv A 1 -x A=2 -env A 3 app", {}, {"A=1"}, {"A=2"}, {"A=3"}},
    };
    for (const auto& row : rows) {
        const auto made = resolved(
            {for_all(Layer::user_file, row.weaker), said_by(Layer::command_line, row.stronger)});
        const auto& program = made.programs.at(0);
        EXPECT_EQ(made.mca, row.mca) << row.weaker;
        EXPECT_EQ(made.env, row.env) << row.weaker;
        EXPECT_EQ(program.exported, row.exported) << row.weaker;
        EXPECT_EQ(program.env, row.own) << row.weaker;
    }
    const auto of_file = resolved({said_by(Layer::job_file, "-env A 1 -env B 1 a : -env A 2 b"),
                                   for_all(Layer::command_line, "-genv A 3")});
    EXPECT_EQ(of_file.programs.at(0).env, Words{"B=1"});
    EXPECT_EQ(of_file.programs.at(1).env, Words{});
    EXPECT_EQ(of_file.env, Words{"A=3"});
}

TEST(Source, ProgramsAreThoseOfTheStrongestThatHasSome) {
    const auto file = said_by(Layer::job_file, "-n 2 a : -n 3 b");
    const auto of_file = resolved({file, for_all(Layer::command_line, "-wdir /d")});
    ASSERT_EQ(of_file.programs.size(), 2U);
    EXPECT_EQ(of_file.programs[1].argv, Words{"b"});
    EXPECT_EQ(of_file.programs[1].ranks, 3U);
    EXPECT_EQ(of_file.programs[1].wdir, "/d");
    const auto of_line = resolved({file, said_by(Layer::command_line, "c")});
    ASSERT_EQ(of_line.programs.size(), 1U);
    EXPECT_EQ(of_line.programs[0].argv, Words{"c"});
    EXPECT_EQ(of_line.programs[0].ranks, 0U);
}

TEST(Source, HostsOfAllAreNamedOnceUnlessAProgramHasItsOwn) {
    const auto line = said_by(Layer::command_line, "-n 1 a : -hosts y -n 1 b");
    const auto shared = resolved(
        {for_all(Layer::user_file, "-hosts x"), said_by(Layer::command_line, "-n 1 a : -n 1 b")});
    EXPECT_EQ(shared.programs[0].host_lists, Words{"x"});
    EXPECT_EQ(shared.programs[1].host_lists, Words{});
    for (const char* weaker : {"-hosts x", "-f x"}) {
        const auto own = resolved({for_all(Layer::user_file, weaker), line});
        EXPECT_EQ(own.programs[0].host_lists, Words{});
        EXPECT_EQ(own.programs[0].hostfiles, Words{});
        EXPECT_EQ(own.programs[1].host_lists, Words{"y"});
    }
    auto both = line;
    both.given = for_all(Layer::command_line, "-hosts x").given;
    const auto same_source = resolved({for_all(Layer::user_file, "-hosts w"), both});
    EXPECT_EQ(same_source.programs[0].host_lists, Words{"x"});
    EXPECT_EQ(same_source.programs[1].host_lists, Words{"y"});
    const auto stronger = resolved({line, for_all(Layer::command_line, "-hosts z")});
    EXPECT_EQ(stronger.programs[0].host_lists, Words{"z"});
    EXPECT_EQ(stronger.programs[1].host_lists, Words{"z"});
}

TEST(Environment, SaysWhatOptionsSay) {
    const auto read = read_environment(
        {"PATH=/bin", "LAUNCH_OPT_KEEP_GOING=true", "LAUNCH_OPT_DEGREE=8", "LAUNCH_OPT_ENV=A=b"});
    ASSERT_TRUE(read) << describe(read.error());
    const auto made = resolved({*read, said_by(Layer::command_line, "app")});
    EXPECT_TRUE(made.policies.keep_going);
    EXPECT_EQ(made.degree, 8U);
    EXPECT_EQ(made.env, Words{"A=b"});
    EXPECT_EQ(named(*made.origins.find("degree")), "LAUNCH_OPT_DEGREE");
}

TEST(Environment, IsStrict) {
    struct {
        const char* entry;
        const char* message;
    } rows[] = {
        {"LAUNCH_OPT_DEGRE=8",
         "the variable LAUNCH_OPT_DEGRE: there is no such option; did you mean LAUNCH_OPT_DEGREE? "
         "(see launch --help)"},
        {"LAUNCH_OPT_DEGREE=x",
         "LAUNCH_OPT_DEGREE=x: not a whole number from 1 to 2147483647 (see launch --help)"},
        {"LAUNCH_OPT_LABEL=1", "LAUNCH_OPT_LABEL=1: neither true nor false (see launch --help)"},
        {"LAUNCH_OPT_ENV=FOO", "LAUNCH_OPT_ENV=FOO: not NAME=VALUE (see launch --help)"},
        {"LAUNCH_OPT_WDIR=", "LAUNCH_OPT_WDIR=\"\": the value is empty (see launch --help)"},
        {"LAUNCH_OPT_TOPOLOGY=",
         "LAUNCH_OPT_TOPOLOGY=\"\": the value is empty (see launch --help)"},
        {"LAUNCH_OPT_ROUTING=", "LAUNCH_OPT_ROUTING=\"\": the value is empty (see launch --help)"},
        {"LAUNCH_OPT_SSH_CONFIG=",
         "LAUNCH_OPT_SSH_CONFIG=\"\": the value is empty (see launch --help)"},
        {"LAUNCH_OPT_GENVLIST=",
         "LAUNCH_OPT_GENVLIST=\"\": no variable is named (see launch --help)"},
        {"LAUNCH_OPT_GENVNONE=false",
         "LAUNCH_OPT_GENVNONE=false: this setting can only be replaced, by -genvall or -genvlist "
         "(see launch "
         "--help)"},
        {"LAUNCH_OPT_DRY_RUN=true",
         "the variable LAUNCH_OPT_DRY_RUN: that is for the command line only (see launch --help)"},
        {"LAUNCH_OPT_NP=3",
         "the variable LAUNCH_OPT_NP: there is no such option; did you mean LAUNCH_OPT_RANKS? (see "
         "launch --help)"},
        {"LAUNCH_OPT_MAP_BY=node",
         "the variable LAUNCH_OPT_MAP_BY: there is no such option; did you mean LAUNCH_OPT_MAP? "
         "(see launch --help)"},
    };
    for (const auto& row : rows) {
        const auto read = read_environment({row.entry});
        ASSERT_FALSE(read) << row.entry;
        EXPECT_EQ(describe(read.error()), row.message);
    }
}

}  // namespace
}  // namespace launch
