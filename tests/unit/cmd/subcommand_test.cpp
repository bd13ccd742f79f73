// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cerrno>
#include <gtest/gtest.h>

#include "cmd/command.hpp"
#include "cmd/complete/complete.hpp"
#include "cmd/guide/guide.hpp"
#include "cmd/options/read_source.hpp"
#include "embedded/completion_scripts.hpp"
#include "tests/unit/cmd/words.hpp"

namespace launch {
namespace {

std::string found(const std::string& words, const char* called_as = "./launch") {
    const auto* command = find_command(called_as, words_of(words));
    return command == nullptr ? "" : std::string(command->name);
}

TEST(Subcommand, IsOnlyTheExactFirstWord) {
    EXPECT_EQ(found("help hosts"), "help");
    EXPECT_EQ(found("run doctor"), "run");
    EXPECT_EQ(found("doctor"), "doctor");
    EXPECT_EQ(found("session add x"), "session add");
    EXPECT_EQ(found("session ad x"), "session");
    for (const char* words :
         {"", "./doctor", "-n 1 doctor", "-- doctor", "Help", "helper", "/bin/run"})
        EXPECT_EQ(found(words), "") << words;
}

/// `launch help NAME` is about one of them, and its title tells what the list of them does.
TEST(Subcommand, EachHasAPageAndNoTopicHasItsName) {
    const auto topics = guide::topic_names();
    for (const auto& each : commands()) {
        EXPECT_EQ(std::count(topics.begin(), topics.end(), each.name), 0) << each.name;
        if (each.is_hidden() || each.is_verb()) continue;
        const auto page = guide::topic_text(each.name, false);
        ASSERT_TRUE(page) << describe(page.error());
        const std::string title =
            "launch-" + std::string(each.name) + ": " + std::string(each.summary);
        EXPECT_EQ(page->substr(0, page->find('\n')), title);
    }
}

TEST(Subcommand, OtherLaunchersHaveNone) {
    EXPECT_EQ(found("run", "/usr/bin/mpiexec"), "");
    EXPECT_EQ(found("help", "mpirun"), "");
    EXPECT_EQ(found("help", "/opt/mpirun/launch"), "help");
}

TEST(Subcommand, IsMeantByAProgramThatIsNotFoundAndHasAlmostItsName) {
    const ExitStatus missing{ExitStatus::Kind::not_started, ENOENT, ExitStatus::Stage::exec};
    const auto meant = [](const std::string& words, const ExitStatus& failed) {
        return command_meant(*parse_command_line(words_of(words)), failed);
    };
    struct {
        const char* words;
        std::string_view command;
    } rows[] = {
        {"docter", "doctor"},
        {"reprot job.json", "report"},
        {"sesion start", "session"},
        {"app", ""},
        {"./docter", ""},
        {"-n 1 docter", ""},
        {"a : docter", ""},
        {"simulat", ""},
        {"__complet", ""},
    };
    for (const auto& row : rows)
        EXPECT_EQ(meant(row.words, missing), row.command) << row.words;
    EXPECT_EQ(meant("docter", {ExitStatus::Kind::not_started, EACCES, ExitStatus::Stage::exec}),
              "");
    EXPECT_EQ(meant("docter", {ExitStatus::Kind::exited, ENOENT, {}}), "");
}

TEST(Subcommand, ReservedNamesAreToldAsSuch) {
    int reserved = 0;
    for (const auto& each : commands())
        reserved += each.is_reserved() ? 1 : 0;
    EXPECT_EQ(reserved, 1);
    EXPECT_EQ(reserved_text("simulate"),
              "simulate: this subcommand does not exist yet; to run a program: launch -- simulate");
}

/// A value that the option takes.
std::string value_for(const OptionRow& option) {
    return option.value.words == nullptr ? "x" : option.value.words().front().text;
}

/// The fewest positionals that the command takes.
std::vector<std::string> words_for(const Command& command) {
    std::vector<std::string> words;
    for (const auto& each : command.positionals)
        if (each.times == Times::once) words.emplace_back("w");
    return words;
}

std::vector<std::string> with(std::vector<std::string> words,
                              const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

/// "--fromat" of "--format".
std::string mistyped(std::string name) {
    std::swap(name[name.size() - 2], name[name.size() - 1]);
    return name;
}

std::string error_of(const Command& command, const std::vector<std::string>& words) {
    const auto asked = read_command(command, words);
    EXPECT_FALSE(asked) << command.name;
    return asked ? "" : describe(asked.error());
}

std::vector<const Command*> plain_commands() {
    std::vector<const Command*> plain;
    for (const auto& command : commands())
        if (command.run != nullptr) plain.push_back(&command);
    EXPECT_GT(plain.size(), 10U);
    return plain;
}

TEST(Command, TakesEachOfItsOptionsAndNoOther) {
    for (const auto* command : plain_commands()) {
        const std::string page = "(see launch help " + std::string(command->page()) + ")";
        for (const auto* option : command->options())
            for (const auto each : names_of(*option)) {
                const std::string name(each);
                auto words = with(words_for(*command), {name});
                if (!option->is_flag()) {
                    EXPECT_EQ(error_of(*command, words),
                              (std::string(names_of(*option).back()) +
                               " needs a value: " + std::string(option->metavar)) +
                                  " " + page);
                    words.push_back(value_for(*option));
                }
                EXPECT_TRUE(read_command(*command, words)) << command->name << " " << name;
                if (command->takes(Takes::topic) || name.size() == 2) continue;
                EXPECT_EQ(
                    error_of(*command, {mistyped(name)}),
                    "unknown option " + mistyped(name) + "; did you mean " + name + "? " + page);
            }
    }
}

TEST(Command, TakesItsPositionalsAndNoMore) {
    for (const auto* command : plain_commands()) {
        const auto words = words_for(*command);
        const auto& positionals = command->positionals;
        EXPECT_TRUE(read_command(*command, words)) << command->name;
        const auto missing = words.empty() ? std::string() : error_of(*command, {});
        if (!words.empty()) {
            EXPECT_NE(missing.find(positionals.front().name), missing.npos) << missing;
        }
        if (!positionals.empty() && positionals.back().times == Times::any) continue;
        const std::vector<std::string> many(positionals.size() + 1, "w");
        EXPECT_FALSE(read_command(*command, many)) << command->name;
    }
}

TEST(Command, ReadsWordsInAnyOrder) {
    const auto remove = read_command(*find_command("", {"session", "remove"}),
                                     words_of("n1 --now -f a n2 --hostfile=- -session s -- n3"));
    ASSERT_TRUE(remove) << describe(remove.error());
    EXPECT_EQ(remove->words, words_of("n1 n2 n3"));
    EXPECT_EQ(remove->program.hostfiles, words_of("a -"));
    EXPECT_EQ(remove->settings.session, "s");
    EXPECT_EQ(remove->settings.leave, RemoveRequest::When::now);
}

TEST(Command, NamesWhatIsWrong) {
    struct {
        const char* words;
        const char* error;
    } rows[] = {
        {"attach --session", "--session needs a value: NAME (see launch help attach)"},
        {"ps --label", "the option --label does not go with this command (see launch help ps)"},
        {"ps -c", "unknown option -c (see launch help ps)"},
        {"ps -sesion=x", "unknown option -sesion; did you mean --session? (see launch help ps)"},
        {"ps -hosts n1", "the option -hosts does not go with this command (see launch help ps)"},
        {"report a --format jsn",
         "--format jsn: not one of text, svg and html (see launch help "
         "report)"},
        {"session remove --now --when-idle x",
         "--when-idle and --now exclude one another (see launch help session)"},
        {"session list --now=1", "unknown option --now (see launch help session)"},
        {"session remove --now=1", "--now takes no value (see launch help session)"},
        {"attach",
         "attach: JOB is missing; usage: launch attach JOB [--session NAME] (see launch help "
         "attach)"},
        {"version now", "version takes no arguments (see launch help version)"},
    };
    for (const auto& row : rows) {
        const auto words = words_of(row.words);
        const auto* command = find_command("", words);
        ASSERT_NE(command, nullptr) << row.words;
        const auto asked =
            read_command(*command, {words.begin() + (command->is_verb() ? 2 : 1), words.end()});
        ASSERT_FALSE(asked) << row.words;
        EXPECT_EQ(describe(asked.error()), row.error);
    }
}

TEST(Command, PageNamesEachOptionAndPositional) {
    const auto of_jobs = all_options();
    for (const auto& command : commands()) {
        if (command.is_hidden()) continue;
        for (const auto& page :
             {guide::topic_text(command.page(), false), guide::manual_of(command.page())}) {
            ASSERT_TRUE(page) << describe(page.error());
            std::string text = *page;
            std::erase(text, '\\');  // roff has one before a dash
            for (const auto& each : command.positionals)
                EXPECT_NE(text.find(each.name), text.npos) << command.name << " " << each.name;
            for (const auto* option : command.options()) {
                const bool is_a_jobs =
                    std::find(of_jobs.begin(), of_jobs.end(), option) != of_jobs.end();
                const auto names = names_of(*option);
                const bool is_there = std::any_of(names.begin(), names.end(), [&](auto name) {
                    return text.find(name) != text.npos;
                });
                EXPECT_TRUE(is_there || is_a_jobs || option->key == "help")
                    << command.name << " " << option->names << "\n"
                    << text;
            }
        }
    }
}

TEST(Command, SynopsisOfLaunchListsEach) {
    const auto manual = guide::topic_text("launch", false);
    ASSERT_TRUE(manual);
    for (const auto& command : commands()) {
        if (command.is_hidden() || command.name == "session") continue;
        const auto name = command.name == "run" ? "[run]" : std::string(command.name);
        EXPECT_NE(manual->find("  launch " + name), manual->npos) << command.name << *manual;
        for (const auto& line : synopsis_of(command))
            EXPECT_TRUE(line.starts_with("launch " + name)) << line;
    }
    std::string shells;
    for (const auto& script : completion_scripts)
        shells += (shells.empty() ? "" : "|") + std::string(script.name);
    EXPECT_EQ(find_command("", {"completion"})->positionals.front().name, shells);
}

std::vector<std::string> completed(std::vector<std::string> words) {
    const CompletionNames nothing{.hosts = [](const auto&) { return words_of("h1"); },
                                  .variables = [] { return words_of("V"); },
                                  .topics = [] { return std::vector<ChoiceWord>{{"trees"}}; },
                                  .sessions = [] { return words_of("s1"); },
                                  .is_job_file = [](const auto&) { return false; }};
    std::vector<std::string> texts;
    for (const auto& each : complete(words, nothing).candidates)
        texts.push_back(each.text);
    return texts;
}

TEST(Command, CompletionOffersItsOptionsAndTheirChoices) {
    for (const auto& command : commands()) {
        if (command.is_hidden() || command.takes(Takes::topic)) continue;
        const auto name = words_of(std::string(command.name));
        std::vector<std::string> expected;
        for (const auto* option : command.options()) {
            const std::string last(names_of(*option).back());
            if (last.starts_with("--")) expected.push_back(last);
            if (option->value.kind != launch::Kind::choice) continue;
            std::vector<std::string> choices;
            for (const auto& word : option->value.words())
                choices.push_back(word.argument.empty() ? word.text : word.text + ":");
            EXPECT_EQ(completed(with(name, {last, ""})), choices) << command.name << " " << last;
        }
        EXPECT_EQ(completed(with(name, {"--"})), expected) << command.name;
    }
}

}  // namespace
}  // namespace launch
