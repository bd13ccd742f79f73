#include "cmd/subcommand.hpp"

#include <algorithm>
#include <cerrno>
#include <gtest/gtest.h>

#include "cmd/guide/guide.hpp"
#include "cmd/options/command_line.hpp"
#include "tests/unit/cmd/words.hpp"

namespace launch {
namespace {

std::string found(const std::string& words, const char* called_as = "./launch") {
    const auto* subcommand = find_subcommand(called_as, words_of(words));
    return subcommand == nullptr ? "" : std::string(subcommand->name);
}

TEST(Subcommand, IsOnlyTheExactFirstWord) {
    EXPECT_EQ(found("help hosts"), "help");
    EXPECT_EQ(found("run doctor"), "run");
    EXPECT_EQ(found("doctor"), "doctor");
    for (const char* words :
         {"", "./doctor", "-n 1 doctor", "-- doctor", "Help", "helper", "/bin/run"})
        EXPECT_EQ(found(words), "") << words;
}

/// `launch help NAME` is about one of them, and its title tells what the list of them does.
TEST(Subcommand, EachHasAPageAndNoTopicHasItsName) {
    const auto topics = guide::topic_names();
    for (const auto& each : subcommands()) {
        EXPECT_EQ(std::count(topics.begin(), topics.end(), each.name), 0) << each.name;
        if (each.help.empty()) continue;
        const auto page = guide::topic_text(each.name, false);
        ASSERT_TRUE(page) << describe(page.error());
        const std::string title =
            "launch-" + std::string(each.name) + ": " + std::string(each.help);
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
    for (const auto& each : subcommands())
        reserved += each.start == nullptr ? 1 : 0;
    EXPECT_EQ(reserved, 2);
    EXPECT_EQ(reserved_text("debug"),
              "debug: this subcommand does not exist yet; to run a program: launch -- debug");
}

}  // namespace
}  // namespace launch
