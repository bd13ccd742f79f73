// SPDX-License-Identifier: MIT
#include "cmd/complete/complete.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "cmd/complete/host_names.hpp"
#include "cmd/guide/guide.hpp"
#include "core/base/list_text.hpp"
#include "embedded/completion_scripts.hpp"
#include "tests/unit/cmd/words.hpp"

namespace launch {
namespace {

using Words = std::vector<std::string>;

const CompletionNames names{
    .hosts =
        [](const Words& files) {
            Words hosts{"alpha", "beta"};
            hosts.insert(hosts.end(), files.begin(), files.end());
            return hosts;
        },
    .variables =
        [] {
            return Words{"HOME", "PATH"};
        },
    .topics =
        [] {
            return std::vector<ChoiceWord>{{"hosts", "naming them"}, {"trees"}};
        },
    .sessions =
        [] {
            return Words{"s1", "work"};
        },
    .is_job_file = [](const std::string& word) { return word == "job.toml"; },
};

Completion completion_of(const std::string& text) {
    return complete(words_of(text), names);
}

Words texts_of(const Completion& completion) {
    Words texts;
    for (const auto& candidate : completion.candidates)
        texts.push_back(candidate.text);
    return texts;
}

TEST(Complete, AWordIsWhatTheCommandLineWouldTakeItFor) {
    struct {
        const char* words;
        Words texts;
        ShellPart shell = ShellPart::nothing;
        size_t at = 0;
    } rows[] = {
        {"--session ''", {"s1", "work"}},
        {"--session --lab", {"--label", "--label-pattern"}},
        {"--session -n 4 ''", {}, ShellPart::command, 3},
        {"--session -- ''", {}, ShellPart::command, 2},
        {"session ''", {"start", "list", "show", "log", "add", "remove", "stop"}},
        {"session start --na", {"--name"}},
        {"session stop w", {"work"}},
        {"session list ''", {}},
        {"session add --a", {"--allow-missing"}},
        {"session remove --", {"--hostfile", "--when-idle", "--now", "--session", "--help"}},
        {"session add al", {"alpha"}},
        {"ps --f", {"--format"}},
        {"ps --format j", {"json"}},
        {"report ''", {}, ShellPart::files},
        {"report --format ''", {"text", "svg", "html"}},
        {"session list --f", {"--format"}},
        {"doctor --format ''", {"text", "json"}},
        {"session remove --session w", {"work"}},
        {"ps s", {}},
        {"ps --session w", {"work"}},
        {"ps --session=w", {"--session=work"}},
        {"attach --se", {"--session"}},
        {"signal --session w", {"work"}},
        {"signal T", {}},
        {"signal 3 TE", {"TERM"}},
        {"signal --session work 3 USR", {"USR1", "USR2"}},
        {"signal 3 --session=work HU", {"HUP"}},
        {"signal 3 TERM T", {}},
        {"--topo", {"--topology"}},
        {"--topology=k", {"--topology=kary:"}},
        {"-topology=k", {"-topology=kary:"}},
        {"--topology k", {"kary:"}},
        {"--routing k", {"kary:"}},
        {"--topology kary:", {}},
        {"--topology=kary:8", {}},
        {"--pmi pmi1", {"pmi1", "pmi1-port"}},
        {"-k ''", {}},
        {"-n 4 -k 2 --links d", {"direct"}},
        {"--propagate stack,c", {"stack,core", "stack,cpu"}},
        {"--propagate core,",
         {"core,as", "core,cpu", "core,data", "core,fsize", "core,memlock", "core,nofile",
          "core,nproc", "core,rss", "core,stack"}},
        {"--propagate=core,s", {"--propagate=core,stack"}},
        {"--propagate all,c", {}},
        {"-env=A 1 --lab", {"--label", "--label-pattern"}},
        {"-env=A=1 --lab", {"--label", "--label-pattern"}},
        {"-env=A 1 ''", {}, ShellPart::command, 2},
        {"--stage hh", {}, ShellPart::files},
        {"--stage hh:", {}},
        {"--stage=hh:", {}},
        {"--fetch hh", {}},
        {"--fetch hh:", {}},
        {"-hosts a", {"alpha"}},
        {"-hosts alpha,b", {"alpha,beta"}},
        {"--hosts=alpha,b", {"--hosts=alpha,beta"}},
        {"-f bfile -hosts b", {"beta", "bfile"}},
        {"--hostfile=bfile -hosts b", {"beta", "bfile"}},
        {"-x P", {"PATH"}},
        {"-genvlist HOME,P", {"HOME,PATH"}},
        {"-genv P", {}},
        {"-genv A b", {}},
        {"-genv A=b --lab", {"--label", "--label-pattern"}},
        {"--stdin n", {"none"}},
        {"-f ''", {"-"}, ShellPart::files},
        {"--ssh-config n", {"none"}, ShellPart::files},
        {"-wdir ''", {}, ShellPart::folders},
        {"--job ''", {}, ShellPart::files},
        {"run --job ''", {}, ShellPart::files},
        {"job.toml --no-lab", {"--no-label"}},
        {"-l job.toml -n 2 --links d", {"direct"}},
        {"-- job.toml --no-lab", {}, ShellPart::command, 1},
        {"-x PATH,P", {}},
        {"--no-lab", {"--no-label"}},
        {"--unknown --lab", {"--label", "--label-pattern"}},
        {"-ppn", {"-ppn"}},
        {"ru", {"run"}, ShellPart::command, 0},
        {"run ru", {}, ShellPart::command, 1},
        {"-l ru", {}, ShellPart::command, 1},
        {"-l app --lab", {}, ShellPart::command, 1},
        {"-l -- --lab", {}, ShellPart::command, 2},
        {"app x : --lab", {"--label", "--label-pattern"}},
        {"app x : -n 2 other ''", {}, ShellPart::command, 5},
        {"help h", {"hosts", "help"}},
        {"help con", {"config"}},
        {"help --topo", {"--topology"}},
        {"help -pp", {"-ppn"}},
        {"help hosts ''", {}},
        {"completion z", {"zsh"}},
        {"config --form", {"--format"}},
        {"config --ini", {"--init"}},
        {"config --topology=k", {"--topology=kary:"}},
        {"config -k 3 --links d", {"direct"}},
        {"config --dry", {}},
        {"config ''", {}, ShellPart::files},
        {"config job.toml --no-lab", {"--no-label"}},
        {"config --format j", {"json"}},
        {"config --format=j", {"--format=json"}},
        {"config -n 3 : --lab", {"--label", "--label-pattern"}},
        {"config app --lab", {"--label", "--label-pattern"}},
        {"config app ''", {}},
        {"config -genv A : --lab", {"--label", "--label-pattern"}},
        {"config --job=", {}, ShellPart::files},
        {"version ''", {}},
        {"simulate ''", {}, ShellPart::command, 0},
        {"doctor ''", {}, ShellPart::nothing},
        {"doctor --format=j", {"--format=json"}},
        {"doctor -f ''", {"-"}, ShellPart::files},
        {"doctor --lab", {}},
    };
    for (const auto& row : rows) {
        const auto made = completion_of(row.words);
        EXPECT_EQ(texts_of(made), row.texts) << row.words;
        EXPECT_EQ(made.shell, row.shell) << row.words;
        EXPECT_EQ(made.command_at, row.at) << row.words;
    }
}

TEST(Complete, EveryOptionIsOfferedWithItsHelp) {
    const auto long_ones = completion_of("--");
    for (const auto* row : all_options()) {
        const auto is_it = [&](const Candidate& each) { return each.help == row->help; };
        const bool is_long = names_of(*row).back().starts_with("--");
        const auto& found = is_long ? long_ones : completion_of(std::string(names_of(*row).back()));
        EXPECT_TRUE(std::any_of(found.candidates.begin(), found.candidates.end(), is_it))
            << row->names;
    }
}

TEST(Complete, EveryWordOfAChoiceIsOfferedWithItsHelp) {
    for (const auto* row : all_options()) {
        if (row->value.words == nullptr) continue;
        const auto made = completion_of(std::string(names_of(*row).back()) + " ''");
        EXPECT_EQ(made.candidates.size(), row->value.words().size()) << row->names;
        for (const auto& each : made.candidates)
            EXPECT_FALSE(each.help.empty()) << row->names << " " << each.text;
    }
}

TEST(Complete, TheFirstWordMayBeASubcommand) {
    const auto made = completion_of("''");
    const auto texts = texts_of(made);
    EXPECT_EQ(std::count(texts.begin(), texts.end(), "config"), 1);
    for (const char* hidden : {"__complete", "__check", "simulate"})
        EXPECT_EQ(std::count(texts.begin(), texts.end(), hidden), 0) << hidden;
    EXPECT_EQ(made.shell, ShellPart::command);
    EXPECT_FALSE(made.candidates[0].help.empty());
}

TEST(Complete, TheManualNamesEachShell) {
    std::vector<std::string_view> shells;
    for (const auto& script : completion_scripts)
        shells.push_back(script.name);
    const auto manual = guide::topic_text("launch", false);
    ASSERT_TRUE(manual);
    EXPECT_NE(manual->find("launch completion " + joined(shells, "|")), manual->npos);
}

TEST(HostNames, AreReadFromKnownHosts) {
    EXPECT_EQ(names_in_known_hosts("# a comment\n"
                                   "alpha,10.0.0.1 ssh-ed25519 AAAA\n"
                                   "[beta]:2222 ssh-ed25519 AAAA\n"
                                   "|1|c2FsdA==|aGFzaA== ssh-ed25519 AAAA\n"
                                   "@cert-authority *.example.org ssh-rsa AAAA\n"
                                   "@revoked gamma ssh-rsa AAAA\n"
                                   "\n"),
              (Words{"alpha", "10.0.0.1", "beta", "gamma"}));
}

TEST(HostNames, AreNotWaitedFor) {
    std::string folder = std::filesystem::temp_directory_path() / "launch-names-XXXXXX";
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    std::ofstream(folder + "/file") << "of-a-file\n";
    ASSERT_EQ(mkfifo((folder + "/pipe").c_str(), 0600), 0);
    EXPECT_EQ(names_of_hostfiles({folder + "/pipe", folder + "/file", folder}), Words{"of-a-file"});
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace launch
