// SPDX-License-Identifier: MIT
#include "transports/ssh/config_text.hpp"

#include <cerrno>
#include <gtest/gtest.h>
#include <map>
#include <optional>

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
    files.user = {"u",
                  "/home/u",
                  1000,
                  {},
                  [](const std::string& user) {
                      return user == "bob" ? std::optional<std::string>("/home/bob") : std::nullopt;
                  },
                  [](const std::string& name) {
                      return name == "SITE" ? std::optional<std::string>("/site") : std::nullopt;
                  }};
    files.read = [texts](const std::string& path) -> ConfigFile {
        const auto at = texts.find(path);
        if (at == texts.end()) return {{{}, ENOENT}, {}};
        return {{at->second, 0}, {}};
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

TEST(ConfigText, ExpandsUsersAndVariablesInAnInclude) {
    struct Row {
        const char* include;
        Words users;
        bool unread;
    };
    const Row rows[] = {
        {"~bob/tilde", {"b"}, false},
        {"~nobody/tilde", {}, false},
        {"${SITE}/x ~/tilde", {"s", "t"}, false},
        {"${UNSET}/x", {}, true},
        {"${SITE", {}, true},
        {"/site/%h", {}, true},
    };
    const auto files = [](const std::string& text) {
        return files_of({{"/c", text},
                         {"/home/bob/tilde", "User b\n"},
                         {"/home/u/tilde", "User t\n"},
                         {"/site/x", "User s\n"}});
    };
    for (const auto& row : rows) {
        const auto lines =
            read_ssh_config({{"/c", "/base"}}, files(std::string("Include ") + row.include + "\n"));
        const auto& include = lines.at(0).included.at(0);
        Words users;
        for (const auto& line : include.included)
            users.push_back(line.words.at(0));
        EXPECT_EQ(users, row.users) << row.include;
        EXPECT_EQ(include.unread, row.unread) << row.include;
    }
}

/// As OpenSSH: a file that was asked for by name, and the system's own, may be anybody's.
TEST(ConfigText, RefusesFilesThatOthersMayHaveWritten) {
    struct Row {
        const char* name;
        FilePermissions access;
        const char* cause;
    };
    const Row rows[] = {
        {"the user's", {1000, 0600}, ""},
        {"readable by all", {1000, 0644}, ""},
        {"root's", {0, 0644}, ""},
        {"somebody's", {1001, 0600}, "PATH belongs to another user"},
        {"a group may write", {1000, 0664}, "others may write to PATH"},
        {"the user's own group may write", {1000, 0664, true}, ""},
        {"all may write", {1000, 0602, true}, "others may write to PATH"},
    };
    for (const auto& row : rows) {
        auto files = files_of({});
        files.read = [&](const std::string& path) -> ConfigFile {
            const bool judged = path == "/judged";
            return {{judged ? "Port 1\n" : "Include /judged\n", 0},
                    judged ? row.access : FilePermissions{1001, 0666}};
        };
        files.glob = [](const std::string& pattern) { return Words{pattern}; };
        std::string cause = row.cause;
        if (const size_t at = cause.find("PATH"); at != std::string::npos)
            cause.replace(at, 4, "/judged");
        for (const bool guarded : {false, true}) {
            const auto lines = read_ssh_config({{"/judged", "/", guarded}}, files);
            const auto& whole = lines.at(0);
            EXPECT_EQ(whole.faults.empty(), !guarded || cause.empty()) << row.name;
            EXPECT_EQ(whole.included.empty(), !whole.faults.empty()) << row.name;
            for (const auto& fault : whole.faults)
                EXPECT_EQ(fault.cause, cause) << row.name;
        }
        const auto including = read_ssh_config({{"/c", "/"}}, files);
        EXPECT_EQ(including.at(0).included.at(0).faults.empty(), cause.empty())
            << row.name << ", included";
    }
}

TEST(ConfigText, AFileThatCannotBeReadIsNoMissingFile) {
    for (const int error : {ENOENT, ENOTDIR, EACCES, ELOOP, EIO}) {
        auto files = files_of({});
        files.read = [&](const std::string&) -> ConfigFile { return {{{}, error}, {}}; };
        const auto lines = read_ssh_config({{"/c", "/"}}, files);
        const bool absent = error == ENOENT || error == ENOTDIR;
        EXPECT_EQ(lines.at(0).faults.empty(), absent) << error;
    }
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
