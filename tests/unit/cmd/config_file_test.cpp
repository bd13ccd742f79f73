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
}

TEST(ConfigFile, IsMeantWhereItStandsAlone) {
    for (const Words& words :
         {Words{"app", "-configfile", "none"}, Words{"-configfile"}, Words{}}) {
        const auto same = with_config_file(words);
        ASSERT_TRUE(same);
        EXPECT_EQ(*same, words);
    }
    EXPECT_FALSE(with_config_file({"--configfile", "/no/such/file"}));
}

}  // namespace
}  // namespace launch
