#include "cmd/subcommand.hpp"

#include <gtest/gtest.h>

#include "cmd/job_word.hpp"
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

TEST(Subcommand, OtherLaunchersHaveNone) {
    EXPECT_EQ(found("run", "/usr/bin/mpiexec"), "");
    EXPECT_EQ(found("help", "mpirun"), "");
    EXPECT_EQ(found("help", "/opt/mpirun/launch"), "help");
}

TEST(Subcommand, ReservedNamesAreToldAsSuch) {
    int reserved = 0;
    for (const auto& each : subcommands())
        reserved += each.start == nullptr ? 1 : 0;
    EXPECT_EQ(reserved, 7);
    EXPECT_EQ(reserved_text("ps"),
              "ps: this subcommand does not exist yet; to run a program: launch -- ps");
}

TEST(JobWord, IsTakenForAFileWhereTheProgramWouldStand) {
    const auto is_job = [](const std::string& word) { return word == "job.toml"; };
    struct {
        const char* words;
        const char* made;
    } rows[] = {
        {"job.toml", "--job job.toml"},
        {"-n 4 job.toml -l", "-n 4 --job job.toml -l"},
        {"-- job.toml", "-- job.toml"},
        {"-n 4 app job.toml", "-n 4 app job.toml"},
        {"other.toml", "other.toml"},
        {"job.toml : app", "job.toml : app"},
        {"--job a.toml -n 2", "--job a.toml -n 2"},
    };
    for (const auto& row : rows)
        EXPECT_EQ(with_job_option(words_of(row.words), is_job), words_of(row.made)) << row.words;
}

}  // namespace
}  // namespace launch
