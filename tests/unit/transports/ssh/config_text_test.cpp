#include "transports/ssh/config_text.hpp"

#include <gtest/gtest.h>
#include <map>

namespace launch {
namespace {

using Words = std::vector<std::string>;

TEST(ConfigText, SplitsLinesAsOpenSshDoes) {
    struct Row {
        const char* name;
        const char* line;
        Words words;
    };
    const Row rows[] = {
        {"empty", "  \t ", {}},
        {"comment", "  # Host x", {}},
        {"plain", "  User bob", {"User", "bob"}},
        {"equals", "User=bob", {"User", "bob"}},
        {"equals with blanks", "User = bob", {"User", "bob"}},
        {"equals in a value", "SetEnv A=b", {"SetEnv", "A=b"}},
        {"quotes", "IdentityFile \"/my keys/id\"", {"IdentityFile", "/my keys/id"}},
        {"trailing comment", "User bob # the builder", {"User", "bob"}},
        {"hash in a word", "User bob#1", {"User", "bob#1"}},
        {"several words", "Host a b  c", {"Host", "a", "b", "c"}},
        {"carriage return", "User bob\r", {"User", "bob"}},
        {"escaped quote", "User b\\\"b", {"User", "b\"b"}},
    };
    for (const auto& row : rows)
        EXPECT_EQ(split_config_line(row.line), row.words) << row.name;
}

ConfigFiles files_of(const std::map<std::string, std::string>& texts) {
    ConfigFiles files;
    files.home = "/home/u";
    files.read = [texts](const std::string& path) -> std::optional<std::string> {
        const auto at = texts.find(path);
        if (at == texts.end()) return std::nullopt;
        return at->second;
    };
    files.glob = [texts](const std::string& pattern) {
        return texts.contains(pattern) ? Words{pattern} : Words{};
    };
    return files;
}

TEST(ConfigText, PutsIncludedFilesWhereTheyStand) {
    const auto lines = read_ssh_config({{"/c", "/base"}},
                                       files_of({{"/c", "Include rel ~/tilde missing\nPort 1\n"},
                                                 {"/base/rel", "User r\n"},
                                                 {"/home/u/tilde", "User t"}}));
    ASSERT_EQ(lines.size(), 1U);
    const auto& file = lines[0].included;
    ASSERT_EQ(file.size(), 2U);
    ASSERT_EQ(file[0].included.size(), 2U);
    EXPECT_EQ(file[0].included[0].words, Words{"r"});
    EXPECT_EQ(file[0].included[1].words, Words{"t"});
    EXPECT_EQ(file[1].keyword, "port");
}

TEST(ConfigText, SurvivesAFileThatIncludesItself) {
    const auto lines = read_ssh_config({{"/c", "/"}}, files_of({{"/c", "Include /c\nUser u\n"}}));
    EXPECT_EQ(lines.size(), 1U);
}

/// Each file twice as often as the one before it: 65,536 times before that is too deep.
TEST(ConfigText, ReadsNoMoreFilesThanAUserHas) {
    auto files = files_of({{"/c", "Include /c /c\n"}});
    int reads = 0;
    files.read = [&reads, read = files.read](const std::string& path) {
        ++reads;
        return read(path);
    };
    read_ssh_config({{"/c", "/"}}, files);
    EXPECT_LE(reads, 1001);
}

TEST(ConfigText, AMissingFileSaysNothing) {
    const auto lines = read_ssh_config({{"/none", "/"}}, files_of({}));
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_TRUE(lines[0].included.empty());
}

}  // namespace
}  // namespace launch
