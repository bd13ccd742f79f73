#include "cmd/config_file.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

using Words = std::vector<std::string>;

TEST(ConfigFile, EachLineIsAProgram) {
    const auto words = words_of_lines("-n 1 a 'b c'\n# no\n\n  -n 2 d\r\n", "f");
    ASSERT_TRUE(words);
    EXPECT_EQ(*words, (Words{"-n", "1", "a", "b c", ":", "-n", "2", "d"}));
    EXPECT_FALSE(words_of_lines("# nothing\n", "f"));
    EXPECT_EQ(*words_of_lines("a # b", "f"), (Words{"a", "#", "b"}));
    EXPECT_EQ(words_of_lines("a \\", "f").error().cause,
              "f:1: a backslash ends it, and stands before nothing");
}

TEST(ConfigFile, IsMeantWhereItStandsAlone) {
    for (const Words& words :
         {Words{"app", "-configfile", "none"}, Words{"-configfile=f", "app"}, Words{}}) {
        const auto same = with_config_file(words);
        ASSERT_TRUE(same);
        EXPECT_EQ(*same, words);
    }
    struct {
        Words words;
        const char* error;
    } rows[] = {
        {{"--configfile", "/no/such"},
         "read the file of --configfile /no/such: No such file or directory"},
        {{"-configfile=/no/such"},
         "read the file of -configfile /no/such: No such file or directory"},
        {{"-configfile"}, "-configfile needs a value: FILE (see launch --help)"},
        {{"-configfile="}, "-configfile needs a value: FILE (see launch --help)"},
    };
    for (const auto& row : rows) {
        const auto read = with_config_file(row.words);
        ASSERT_FALSE(read) << row.error;
        EXPECT_EQ(describe(read.error()), row.error);
    }
}

}  // namespace
}  // namespace launch
