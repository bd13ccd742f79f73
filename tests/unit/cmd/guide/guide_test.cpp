// SPDX-License-Identifier: MIT
#include "cmd/guide/guide.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

#include "cmd/command.hpp"
#include "cmd/guide/directives.hpp"
#include "cmd/guide/document.hpp"
#include "cmd/options/table.hpp"
#include "cmd/options/transport_names.hpp"
#include "embedded/command_pages.hpp"
#include "embedded/general_pages.hpp"
#include "embedded/topic_pages.hpp"
#include "topologies/registry.hpp"

namespace launch::guide {
namespace {

using Pages = std::span<const EmbeddedText>;

std::string shown(const std::vector<std::string>& words, bool colour = false) {
    const auto text = help_page(words, colour);
    EXPECT_TRUE(text) << describe(text.error());
    return text ? *text : "";
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

/// Words between single spaces, wherever lines end.
std::string joined(const std::string& text) {
    std::istringstream in(text);
    std::string all;
    for (std::string word; in >> word;)
        all += " " + word;
    return all + " ";
}

void expect_narrow(const std::string& text, std::string_view page) {
    for (const auto& line : lines_of(text))
        EXPECT_LE(line.size(), 80U) << page << ": " << line;
}

TEST(Guide, HelpFitsAScreen) {
    const auto text = shown({});
    EXPECT_LE(lines_of(text).size(), 40U) << text;
    expect_narrow(text, "help");
    EXPECT_EQ(text.find('\033'), text.npos);
    EXPECT_NE(shown({}, true).find("\033[1mUsage\033[0m\n"), text.npos);
    EXPECT_EQ(shown({"--help"}), text);
}

TEST(Guide, HelpNamesEveryTopicAndEachIsThere) {
    const auto screen = joined(shown({}));
    const auto topics = joined(shown({"topics"}));
    for (const auto name : topic_names()) {
        const std::string word(name);
        EXPECT_TRUE(screen.find(" " + word + ", ") != screen.npos ||
                    screen.find(", " + word + " ") != screen.npos)
            << word;
        EXPECT_NE(topics.find(" " + word + " "), topics.npos) << word;
        const auto text = shown({word});
        EXPECT_GT(text.size(), 200U) << word;
        expect_narrow(text, word);
    }
}

TEST(Guide, PagesAreNamedAsTheirFiles) {
    for (const auto pages : {Pages(topic_pages), Pages(command_pages)})
        for (const auto& page : pages) {
            const auto document = read_document(page.text);
            ASSERT_TRUE(document) << page.name << ": " << describe(document.error());
            EXPECT_EQ(document->name, "launch-" + std::string(page.name));
            expect_narrow(shown({std::string(page.name)}), page.name);
        }
    for (const auto& page : topic_pages) {
        EXPECT_NE(manual_of(page.name)->find(".SH \"SEE ALSO\"\nlaunch(1)\n"), std::string::npos);
    }
    for (const auto name : topic_names())
        EXPECT_NE(manual_of("launch")->find("launch-" + std::string(name) + "(7)"),
                  std::string::npos)
            << name;
}

TEST(Guide, ListTellsOfEveryOption) {
    const auto list = joined(shown({"options"}));
    for (const auto* row : all_options()) {
        const auto& option = *row;
        EXPECT_NE(list.find(option.help), list.npos) << option.names;
        for (const auto name : names_of(option))
            EXPECT_NE(list.find(" " + std::string(name)), list.npos) << name;
    }
    for (const auto& topology : known_topologies())
        EXPECT_NE(list.find(topology.name), list.npos) << topology.name;
    for (const auto transport : transport_names())
        EXPECT_NE(list.find(transport), list.npos) << transport;
}

TEST(Guide, EveryOptionBelongsToATopic) {
    std::set<std::string> told{"-h", "-V"};  // of launch itself
    for (const auto& page : topic_pages) {
        const auto document = read_document(page.text);
        ASSERT_TRUE(document);
        for (const auto& block : document->blocks) {
            const auto* directive = std::get_if<Directive>(&block);
            if (directive != nullptr && directive->name == "options")
                told.insert(directive->words.begin(), directive->words.end());
        }
    }
    for (const auto* row : all_options()) {
        const auto& option = *row;
        const auto names = names_of(option);
        const bool is_told = std::any_of(names.begin(), names.end(), [&](std::string_view name) {
            return told.contains(std::string(name));
        });
        EXPECT_TRUE(is_told) << option.names;
    }
}

TEST(Guide, EveryOptionHasAParagraph) {
    const auto manual = joined(shown({"launch"}));
    for (const auto* option : all_options()) {
        const auto text = read_text(option->manual);
        ASSERT_TRUE(text) << option->names;
        std::string plain;
        for (const auto& span : *text)
            plain += span.text;
        EXPECT_GT(plain.size(), option->help.size()) << option->names;
        EXPECT_TRUE(plain.ends_with('.')) << plain;
        EXPECT_NE(manual.find(joined(plain)), manual.npos) << plain;
    }
}

TEST(Guide, AnOptionHasAPageOfItsOwn) {
    const auto page = shown({"-n"});
    EXPECT_TRUE(page.starts_with("--ranks: an option of one program\n\n  -n, -np, --ranks N\n"))
        << page;
    for (const char* part :
         {"      The number of ranks of this program.", "  value     a whole number\n",
          "  default   one for each slot\n", "  in files  ranks = 4\n",
          "  variable  LAUNCH_OPT_RANKS\n", "  more      launch help placement\n"})
        EXPECT_NE(page.find(part), page.npos) << part << "\n" << page;
    for (const char* word : {"--np", "ranks", "np", "--ranks"})
        EXPECT_EQ(shown({word}), page) << word;
    EXPECT_EQ(shown({"map"}), shown({"-map-by"}));
    EXPECT_EQ(shown({"--no-label"}), shown({"-l"}));
    EXPECT_NE(shown({"--topology"}).find("  kary:K "), page.npos);
    EXPECT_NE(shown({"--init"}).find("an option of the command line alone"), page.npos);
    EXPECT_NE(shown({"--init"}).find(" launch config --init,"), page.npos);
    EXPECT_TRUE(shown({"hosts"}).starts_with("launch-hosts: "));
    EXPECT_EQ(shown({"launch-hosts"}), shown({"hosts"}));
    EXPECT_EQ(shown({"launch-config"}), shown({"config"}));
    EXPECT_EQ(shown({"--man", "launch-hosts"}), shown({"--man", "hosts"}));
    EXPECT_EQ(shown({"LAUNCH_OPT_RANKS"}), page);
    EXPECT_EQ(shown({"LAUNCH_OPT_ENV"}), shown({"-genv"}));
}

TEST(Guide, OfTwoOptionsWithOneKeyEachTellsWhereItIsSet) {
    const auto of_job = shown({"-genv"});
    EXPECT_NE(of_job.find("env = { \"COLOUR\" = \"blue\" }, above the first [[program]]\n"),
              of_job.npos)
        << of_job;
    EXPECT_NE(of_job.find("  variable  LAUNCH_OPT_ENV\n"), of_job.npos) << of_job;
    const auto of_program = shown({"-env"});
    EXPECT_NE(of_program.find(" }, in a [[program]]\n"), of_program.npos) << of_program;
    EXPECT_NE(of_program.find("  variable  none: LAUNCH_OPT_ENV is that of -genv\n"),
              of_program.npos)
        << of_program;
}

TEST(Guide, AnOptionOfAJobAndOfConfigTellsBoth) {
    const auto page = shown({"--format"});
    const auto second = page.find("\nWith launch config, ");
    ASSERT_NE(second, page.npos) << page;
    EXPECT_LT(page.find("the job as a job file"), second) << page;
    EXPECT_NE(page.find("Prints text, the default", second), page.npos) << page;
    EXPECT_FALSE(page.ends_with("\n\n")) << page;
    EXPECT_NE(shown({"config"}).find("it does not run"), std::string::npos);
    EXPECT_EQ(shown({"config"}).find("Runs the job"), std::string::npos);
    for (const char* only_once : {"--init", "--dry-run", "-n"})
        EXPECT_EQ(shown({only_once}).find("With launch config"), page.npos) << only_once;
}

TEST(Guide, EachOptionsPageTellsWhatItsRowDoes) {
    for (const auto table : {all_options(), config_options()})
        for (const auto* row : table)
            for (const auto name : names_of(*row)) {
                if (row->is(Scope::invocation, "help")) continue;  // those of help itself
                const auto page = shown({std::string(name)});
                expect_narrow(page, name);
                EXPECT_NE(page.find("\n  " + all_names(*row)), page.npos) << page;
                EXPECT_NE(page.find(std::string(row->if_unset)), page.npos) << page;
            }
}

TEST(Guide, HowATimeIsWrittenStandsInOnePlace) {
    std::string all;
    for (const auto pages : {Pages(topic_pages), Pages(command_pages), Pages(general_pages)})
        for (const auto& page : pages)
            all += page.text;
    for (const auto* row : all_options())
        all.append(title_of(row->group)).append(row->help).append(row->manual);
    const std::string_view written = "`200ms`";
    const auto first = all.find(written);
    ASSERT_NE(first, all.npos);
    EXPECT_EQ(all.find("200ms", first + written.size()), all.npos);
    EXPECT_NE(shown({"options"}).find("200ms"), std::string::npos);
}

TEST(Guide, TheWayToAllOptionsIsToldFirst) {
    for (const std::vector<std::string>& words : {std::vector<std::string>{}, {"topics"}})
        for (const char* way : {" launch help options ", " launch help -n "})
            EXPECT_NE(joined(shown(words)).find(way), std::string::npos) << way;
}

TEST(Guide, WhatThereIsNotIsAUsageError) {
    struct {
        std::vector<std::string> words;
        const char* error;
    } rows[] = {
        {{"hots"}, "no help about hots; did you mean hosts? (see launch help topics)"},
        {{"exit-code"},
         "no help about exit-code; did you mean exit-codes? (see launch help topics)"},
        {{"\033[1m"}, "no help about \"\\x1b[1m\" (see launch help topics)"},
        {{"--man", "zzz"}, "no help about zzz (see launch help topics)"},
        {{"hosts", "trees"},
         "help: unexpected word trees; usage: launch help [TOPIC | COMMAND | OPTION] [--man] (see "
         "launch help help)"},
        {{"-n", "-k"},
         "help: unexpected word -k; usage: launch help [TOPIC | COMMAND | OPTION] [--man] (see "
         "launch help help)"},
        {{"--zzz"}, "unknown option --zzz (see launch help options)"},
        {{"--topolgy"},
         "unknown option --topolgy; did you mean --topology? (see launch help options)"},
        {{"topolgy"}, "no help about topolgy; did you mean topology? (see launch help topics)"},
        {{"confg"}, "no help about confg; did you mean config? (see launch help topics)"},
        {{"-rr"}, "unknown option -rr: use -map-by node (see launch help options)"},
        {{"--man", "-n"},
         "an option has no manual page of its own: -n (see launch help -n, "
         "or launch help --man launch)"},
        {{"simulate"}, "simulate: this subcommand does not exist yet (see launch help topics)"},
        {{"--man"}, "help: --man takes a topic, a command or launch (see launch help help)"},
    };
    for (const auto& row : rows) {
        const auto text = help_page(row.words, false);
        ASSERT_FALSE(text) << row.error;
        EXPECT_EQ(describe(text.error()), row.error);
        EXPECT_EQ(text.error().kind, ErrorKind::usage);
    }
}

}  // namespace
}  // namespace launch::guide
