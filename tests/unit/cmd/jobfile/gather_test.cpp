// SPDX-License-Identifier: MIT
#include "cmd/jobfile/gather.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "cmd/config.hpp"
#include "cmd/options/bind.hpp"
#include "cmd/options/table.hpp"
#include "tests/unit/cmd/words.hpp"

namespace launch {
namespace {

class GatherTest : public ::testing::Test {
  protected:
    void SetUp() override {
        std::string pattern = std::filesystem::temp_directory_path() / "launch-gather-XXXXXX";
        folder = mkdtemp(pattern.data());
        places = {.site_file = folder + "/site.toml",
                  .user_file = folder + "/user.toml",
                  .env = {},
                  .wdir = {}};
    }
    void TearDown() override { std::filesystem::remove_all(folder); }

    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(folder + "/" + name) << text;
        return folder + "/" + name;
    }

    Settings gather(const std::string& words, OptionTable table = all_options()) const {
        auto gathered = gather_settings(words_of(words), {.table = table}, places, table);
        for (const auto& mistake : gathered.mistakes)
            ADD_FAILURE() << describe(mistake);
        return std::move(gathered.settings);
    }

    std::string folder;
    SettingsPlaces places;
};

TEST_F(GatherTest, EachLayerIsStrongerThanTheOneBelow) {
    const auto job = write("job.toml", "command = 'app'\n");
    const auto source_of_degree = [&](const std::string& words) {
        const auto settings = gather(words);
        const auto* origin = settings.origins.find("degree");
        return std::pair(settings.degree, origin == nullptr ? Layer::built_in : origin->layer);
    };
    const std::string words = "--job " + job;
    EXPECT_EQ(source_of_degree(words), std::pair(0U, Layer::built_in));
    write("site.toml", "degree = 2\n");
    EXPECT_EQ(source_of_degree(words), std::pair(2U, Layer::site_file));
    write("user.toml", "degree = 3\n");
    EXPECT_EQ(source_of_degree(words), std::pair(3U, Layer::user_file));
    places.env = {"LAUNCH_OPT_DEGREE=4"};
    EXPECT_EQ(source_of_degree(words), std::pair(4U, Layer::environment));
    write("job.toml", "degree = 5\ncommand = 'app'\n");
    EXPECT_EQ(source_of_degree(words), std::pair(5U, Layer::job_file));
    EXPECT_EQ(source_of_degree("-k 6 " + words), std::pair(6U, Layer::command_line));
}

TEST_F(GatherTest, AMistakeInAnyFileIsTold) {
    write("user.toml", "degre = 3\nlabel = 3\n");
    const auto gathered = gather_settings({"app"}, {}, places);
    ASSERT_EQ(gathered.mistakes.size(), 2U);
    EXPECT_EQ(describe(gathered.mistakes[0]),
              folder +
                  "/user.toml:1:1: unknown key degre; did you mean degree? (see launch help "
                  "job-files)");
    // Who asks for help gets it in any case.
    EXPECT_TRUE(gather("--help").help);
    EXPECT_TRUE(gather("-n abc --job no.toml --help").help);
}

TEST_F(GatherTest, MistakesOfAllPlacesAreToldAtOnceTheCommandLineFirst) {
    write("site.toml", "degree = 0\n");
    write("user.toml", "labl = true\n");
    places.env = {"LAUNCH_OPT_PPN=x", "LAUNCH_OPT_NONE=1"};
    const auto told = [&](const std::string& words) {
        const auto gathered = gather_settings(words_of(words), {}, places);
        std::vector<std::string> causes;
        for (const auto& mistake : gathered.mistakes)
            causes.push_back(mistake.cause.substr(0, mistake.cause.rfind(": ")));
        return causes;
    };
    const std::vector<std::string> others{folder + "/site.toml:1:10: degree = 0",
                                          folder + "/user.toml:1:1", "LAUNCH_OPT_PPN=x",
                                          "the variable LAUNCH_OPT_NONE"};
    std::vector<std::string> all{"-n x", "-k y"};
    all.insert(all.end(), others.begin(), others.end());
    EXPECT_EQ(told("-n x -k y app"), all);
    EXPECT_EQ(told("app"), others);
    // Those of a job file too, if it is clear which word names it.
    const auto job = write("job.toml", "timeout = 'x'\ncommand = 'app'\n");
    all = others;
    all.insert(all.begin(), "-n x");
    all.push_back(job + ":1:11: timeout = x");
    EXPECT_EQ(told("-n x --job " + job), all);
    EXPECT_EQ(told("--job " + job + " --nome").size(), others.size() + 1);
}

TEST_F(GatherTest, AJobFileMustBeThereAndNameAProgram) {
    const auto missing = gather_settings({"--job", folder + "/none.toml"}, {}, places);
    ASSERT_EQ(missing.mistakes.size(), 1U);
    EXPECT_EQ(describe(missing.mistakes[0]),
              "there is no job file " + folder + "/none.toml (see launch help job-files)");
    const auto empty = gather_settings({"--job", write("job.toml", "degree = 3\n")}, {}, places);
    ASSERT_EQ(empty.mistakes.size(), 1U);
    EXPECT_EQ(describe(empty.mistakes[0]),
              folder +
                  "/job.toml: no program to run: write command = \"...\" in a [[program]] (see "
                  "launch --help)");
}

/// Each segment with its options spelled out.
std::string scanned(const std::string& words) {
    const auto is_job = [](const std::string& word) { return word.ends_with(".toml"); };
    auto made = scan_all(words_of(words), {.is_job_file = is_job});
    if (!made.mistakes.empty()) return made.mistakes.take().cause;
    std::string text;
    for (const auto& segment : made.segments) {
        text += text.empty() ? "" : " : ";
        for (const auto& given : segment.options)
            text += given.origin.name + "=" + given.value + " ";
        for (const auto& word : segment.program)
            text += "[" + word + "]";
    }
    return text;
}

TEST(JobFileWord, IsJobFileOptionWhereAProgramWouldStand) {
    const std::string beside =
        "the job file a.toml cannot stand beside a program: it describes the whole job";
    const std::string two = "two job files, a.toml and b.toml: give one of them";
    struct {
        const char* words;
        std::string read;
    } rows[] = {
        {"a.toml", "a.toml=a.toml "},
        {"-n 4 a.toml -l", "-n=4 a.toml=a.toml -l=true "},
        {"a.toml app b.toml", "a.toml=a.toml [app][b.toml]"},
        {"-- a.toml", "[a.toml]"},
        {"-env A -- a.toml", "-env=A=-- a.toml=a.toml "},
        {"a.toml -n 1 x : -n 1 y", "a.toml=a.toml -n=1 [x] : -n=1 [y]"},
        {"--job a.toml -genv A :", "--job=a.toml -genv=A=: "},
        {"a.toml : x", beside},
        {"x : a.toml", beside},
        {"x : --job a.toml", beside},
        {"--job a.toml b.toml", two},
        {"a.toml --job=b.toml", two},
        {"a.toml x : b.toml y", two},
        {"a.toml -- b.toml", "a.toml=a.toml [b.toml]"},
    };
    for (const auto& row : rows)
        EXPECT_EQ(scanned(row.words), row.read) << row.words;
}

TEST_F(GatherTest, AMissingJobFileIsToldWithTheOneThatWasMeant) {
    write("nightly.toml", "command = 'app'\n");
    write("nightly.txt", "");
    std::filesystem::create_symlink("nowhere", folder + "/zzz.toml");
    std::filesystem::create_directory(folder + "/zzzz.toml");
    const WordRules rules{.is_job_file = [](const auto& word) { return word.ends_with(".toml"); }};
    const auto message = [&](const std::vector<std::string>& words) {
        const auto gathered = gather_settings(words, rules, places);
        EXPECT_EQ(gathered.mistakes.size(), 1U);
        return gathered.mistakes.empty() ? "" : describe(gathered.mistakes[0]);
    };
    const std::string there_is_no = "there is no job file " + folder;
    const std::string as_program = " (to run a program of that name: launch -- " + folder;
    EXPECT_EQ(message({folder + "/nigthly.toml"}), there_is_no + "/nigthly.toml; did you mean " +
                                                       folder + "/nightly.toml?" + as_program +
                                                       "/nigthly.toml)");
    EXPECT_EQ(message({"-l", folder + "/zzz.toml"}),
              there_is_no + "/zzz.toml" + as_program + "/zzz.toml)");
    EXPECT_EQ(message({"-n", "1", "true", ":", folder + "/zzz.toml"}),
              there_is_no + "/zzz.toml" + as_program + "/zzz.toml)");
    EXPECT_EQ(message({"--job", folder + "/nigtly.toml"}),
              there_is_no + "/nigtly.toml; did you mean " + folder +
                  "/nightly.toml? (see launch help job-files)");
}

TEST_F(GatherTest, UserFilesAreWhereTheXdgSpecificationHasThem) {
    struct {
        std::vector<std::string> env;
        const char* path;
    } rows[] = {
        {{"XDG_CONFIG_HOME=/c", "HOME=/h"}, "/c/launch/config.toml"},
        {{"XDG_CONFIG_HOME=relative", "HOME=/h"}, "/h/.config/launch/config.toml"},
        {{"HOME=/h"}, "/h/.config/launch/config.toml"},
        {{}, ""},
    };
    for (const auto& row : rows)
        EXPECT_EQ(usual_places(row.env, {}).user_file, row.path);
}

TEST_F(GatherTest, TheConfigurationNamesThePlaceOfEachVariable) {
    write("user.toml", "export = 'X=1'\n[env]\nA = '1'\nB = '2'\n");
    places.env = {"LAUNCH_OPT_ENV=C=3", "LAUNCH_OPT_RANKS=3"};
    const auto job = write("job.toml", "export = 'Y=2'\ncommand = 'app'\nranks = 2\n");
    const std::string user = folder + "/user.toml:";
    struct {
        std::string words;
        std::string value;
        std::string place;
    } rows[] = {
        {"app", "env = { \"A\" = \"1\" }", user + "3"},
        {"app", "env = { \"B\" = \"2\" }", user + "4"},
        {"app", "env = { \"C\" = \"3\" }", "LAUNCH_OPT_ENV"},
        {"app", "ranks = 3", "LAUNCH_OPT_RANKS"},
        {"app", "export = \"X=1\"", user + "1"},
        {"--job " + job, "export = \"X=1\"", user + "1, program 1"},
        {"--job " + job, "export = \"Y=2\"", job + ":1, program 1"},
    };
    for (auto& row : rows) {
        row.value.resize(40, ' ');
        const auto text = config_text(gather(row.words));
        EXPECT_NE(text.find(row.value + "# " + row.place + "\n"), text.npos) << row.value << "\n"
                                                                             << text;
    }
}

TEST_F(GatherTest, AnEmptyValueIsRefusedInAFile) {
    for (const char* key :
         {"wdir", "topology", "routing", "ssh-config", "hosts", "stage", "export"}) {
        write("user.toml", std::string(key) + " = \"\"\n");
        const auto gathered = gather_settings({"app"}, {}, places);
        ASSERT_EQ(gathered.mistakes.size(), 1U) << key;
        const std::string where =
            folder + "/user.toml:1:" + std::to_string(std::string(key).size() + 4);
        EXPECT_EQ(gathered.mistakes[0].cause, where + ": " + key + " = \"\": the value is empty");
    }
}

constexpr OptionRow made_up{.group = OptionGroup::tree,
                            .scope = Scope::job,
                            .names = "-z --zeal",
                            .key = "zeal",
                            .metavar = "N",
                            .value = number<&Settings::degree>(),
                            .help = "how eager it is",
                            .manual = "A paragraph."};

/// A row alone makes an option in every place that there is.
TEST_F(GatherTest, ARowIsAllThatAnOptionTakes) {
    std::vector<const OptionRow*> table(all_options().begin(), all_options().end());
    table.push_back(&made_up);
    const auto job = write("job.toml", "zeal = 5\ncommand = 'app'\n");
    EXPECT_EQ(gather("-z 3 app", table).degree, 3U);
    EXPECT_EQ(gather("--zeal=4 app", table).degree, 4U);
    EXPECT_EQ(gather("--job " + job, table).degree, 5U);
    write("user.toml", "zeal = 6\n");
    EXPECT_EQ(gather("app", table).degree, 6U);
    places.env = {"LAUNCH_OPT_ZEAL=7"};
    const auto settings = gather("app", table);
    EXPECT_EQ(settings.degree, 7U);
    EXPECT_NE(config_text(settings, table).find("zeal = 7"), std::string::npos);
}

}  // namespace
}  // namespace launch
