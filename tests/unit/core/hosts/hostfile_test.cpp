// SPDX-License-Identifier: MIT
#include "core/hosts/hostfile.hpp"

#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

#include "core/hosts/hostlist.hpp"
#include "tests/unit/golden.hpp"

namespace launch {
namespace {

TEST(HostFile, reads) {
    struct {
        const char* row;
        const char* file;
        const char* list;  ///< the same as a host list
    } rows[] = {
        {"plain", "a\nb\n", "a,b"},
        {"no newline at the end", "a\nb", "a,b"},
        {"CRLF", "a\r\nb slots=2\r\n\r\n", "a,b:2"},
        {"blank lines and comments", "# all\n\n \t\na # first\n  b#second\n", "a,b"},
        {"indented", "   a slots=2  \n", "a:2"},
        {"MPICH", "a:4\nb:2\n", "a:4,b:2"},
        {"Open MPI", "a slots=4 max_slots=8\nb slots=2 max-slots=2\n", "a:4,b:2"},
        {"blanks round =", "a slots = 4 max_slots= 8\nb slots =2\n", "a:4,b:2"},
        {"max_slots alone", "a max_slots=4\n", "a"},
        {"slots replace those of the list", "a:3 slots=4\n", "a:4"},
        {"folded", "n[01-03] slots=2\nx\n", "n01:2,n02:2,n03:2,x"},
        {"several on a line", "a, b ,c:2\n", "a,b,c:2"},
        {"a comma at the end", "a,\nb\n", "a,b"},
        {"user, port, slots", "joe@a:22:4\n[::1]:2\n", "joe@a:22:4,[::1]:2"},
        {"user=", "a:22:4 user=joe\nb user=ann slots=2\n", "joe@a:22:4,ann@b:0:2"},
        {"user= replaces", "joe@a user=ann\n", "ann@a"},
        {"Hydra", "a:2 binding=user:0,1 ifname=eth0\n", "a:2"},
        {"repeats stay", "a\na\n", "a,a"},
        {"a byte-order mark",
         "\xef\xbb\xbf"
         "a slots=2\nb\n",
         "a:2,b"},
    };
    for (const auto& row : rows) {
        std::istringstream file(row.file);
        auto hosts = parse_hostfile(file, "hosts");
        ASSERT_TRUE(hosts) << row.row << ": " << describe(hosts.error());
        auto expected = parse_hosts(row.list);
        ASSERT_TRUE(expected) << row.row;
        EXPECT_EQ(fold_hosts(*hosts), fold_hosts(*expected)) << row.row;
    }
}

TEST(HostFile, refuses) {
    struct {
        const char* row;
        const char* file;
        const char* place;
    } rows[] = {
        {"empty", "", "hosts: "},
        {"comments only", "# a\n\n", "hosts: "},
        {"a bad list", "a\n\nn[5-1]\n", "hosts:3:1: "},
        {"an unknown word", "a slots=2 fast\n", "hosts:1:11: "},
        {"a second host without a comma", "a b\n", "hosts:1:3: "},
        {"an unknown key", "a\nb cpus=2\n", "hosts:2:3: "},
        {"no host", "slots=4\n", "hosts:1:1: "},
        {"slots without number", "a slots=\n", "hosts:1:3: "},
        {"no slots", "a slots=0\n", "hosts:1:3: "},
        {"max_slots below slots", "a slots=4 max_slots=2\n", "hosts:1:1: "},
        {"max_slots below slots of the list", "n[1-2]:4 max_slots=2\n", "hosts:1:1: "},
        {"a bad user", "a user=-x\n", "hosts:1:3: "},
        {"the item of a list", "  a , b , n[5-1]\n", "hosts:1:11: "},
        {"after blanks", "\ta  slots = 0\n", "hosts:1:5: "},
        {"a key twice", "a slots=2 max-slots=4 max_slots = 5\n", "hosts:1:23: "},
        {"a column counts characters", "a binding=\xc3\xa9 \xe2\x82\xac\n", "hosts:1:13: "},
        {"a column after a byte-order mark",
         "\xef\xbb\xbf"
         "a b\n",
         "hosts:1:3: "},
        {"a comma only", ",\n", "hosts:1:1: "},
        {"too many hosts", "n[1-4000000]\nx\n", "hosts:2:1: "},
    };
    for (const auto& row : rows) {
        std::istringstream file(row.file);
        auto hosts = parse_hostfile(file, "hosts");
        ASSERT_FALSE(hosts) << row.row << ": " << fold_hosts(*hosts);
        EXPECT_TRUE(hosts.error().cause.starts_with(row.place)) << row.row;
        expect_golden(row.row, hosts.error().cause);
        EXPECT_EQ(hosts.error().kind, ErrorKind::usage) << row.row;
        EXPECT_EQ(hosts.error().operation, "read the host file") << row.row;
    }
}

/// Each line as it is told.
std::vector<std::string> told(const std::string& text) {
    std::istringstream file(text);
    const auto hosts = parse_hostfile(file, "hosts");
    if (hosts) return {};
    std::vector<std::string> lines{hosts.error().cause};
    for (const auto& other : hosts.error().others)
        lines.push_back(other.cause);
    return lines;
}

TEST(HostFile, tells_all_that_is_wrong_at_once) {
    const auto lines = told("a\nb fast\nc\nd[\ne slots=0 # no\n");
    ASSERT_EQ(lines.size(), 3U);
    const char* places[] = {"hosts:2:3: ", "hosts:4:1: ", "hosts:5:3: "};
    for (size_t i = 0; i < lines.size(); ++i)
        EXPECT_TRUE(lines[i].starts_with(places[i])) << lines[i];
}

TEST(HostFile, tells_no_more_than_a_screen_of_it) {
    std::string text;
    for (int i = 0; i < 20; ++i)
        text += "a b\n";
    EXPECT_EQ(told(text).size(), 20U);
    EXPECT_TRUE(told(text).back().starts_with("hosts:20:3: "));
    EXPECT_NE(told(text + "a b\n").back().find(" 1 "), std::string::npos);
    EXPECT_EQ(told(text + text + text).size(), 21U);
    EXPECT_NE(told(text + text + text).back().find(" 40 "), std::string::npos);
}

TEST(HostFile, reports_a_file_that_fails) {
    std::istringstream file("a\n");
    file.setstate(std::ios::badbit);
    auto hosts = parse_hostfile(file, "hosts");
    ASSERT_FALSE(hosts);
    expect_golden("badbit", hosts.error().cause);
}

}  // namespace
}  // namespace launch
