// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "core/hosts/hostlist.hpp"
#include "tests/unit/golden.hpp"

namespace launch {
namespace {

Host host(std::string name, uint32_t slots = 1, uint16_t port = 0, std::string user = {}) {
    return {std::move(user), std::move(name), port, slots};
}

std::string shown(const std::vector<Host>& hosts) {
    std::string out;
    for (const Host& h : hosts) {
        out += "{" + h.user + "|" + h.name + "|" + std::to_string(h.port) + "|" +
               std::to_string(h.slots) + "}";
    }
    return out;
}

TEST(HostList, reads) {
    struct {
        const char* row;
        const char* text;
        std::vector<Host> hosts;
    } rows[] = {
        {"one name", "node1", {host("node1")}},
        {"a name is never cut at a dot", "n1.rack.example.org", {host("n1.rack.example.org")}},
        {"an IPv4 address", "10.0.0.1:2", {host("10.0.0.1", 2)}},
        {"commas", "a,b,c", {host("a"), host("b"), host("c")}},
        {"white space", " a b\tc\r\nd ", {host("a"), host("b"), host("c"), host("d")}},
        {"separators in a row", ",a,, b,", {host("a"), host("b")}},
        {"repeats stay", "a,a", {host("a"), host("a")}},
        {"slots", "a:4,b", {host("a", 4), host("b")}},
        {"a user makes the number a port", "joe@a:2222", {host("a", 1, 2222, "joe")}},
        {"user alone", "joe@a", {host("a", 1, 0, "joe")}},
        {"a user with a domain", "joe@corp.example@a", {host("a", 1, 0, "joe@corp.example")}},
        {"port and slots", "a:2222:4", {host("a", 4, 2222)}},
        {"user, port and slots", "joe@a:2222:4", {host("a", 4, 2222, "joe")}},
        {"port 0 is the default", "joe@a:0:4", {host("a", 4, 0, "joe")}},
        {"greatest numbers", "a:65535:4294967295", {host("a", 4294967295, 65535)}},
        {"a range", "n[8-11]", {host("n8"), host("n9"), host("n10"), host("n11")}},
        {"a padded range", "n[09-10]", {host("n09"), host("n10")}},
        {"a range that outgrows its padding", "n[99-100]", {host("n99"), host("n100")}},
        {"padding on the low end only", "n[008-10]", {host("n008"), host("n009"), host("n010")}},
        {"numbers and ranges", "n[1,3-4,07]", {host("n1"), host("n3"), host("n4"), host("n07")}},
        {"a range of one", "n[5-5]", {host("n5")}},
        {"a product, leftmost slowest",
         "r[1-2]n[1-2]",
         {host("r1n1"), host("r1n2"), host("r2n1"), host("r2n2")}},
        {"text after a range", "n[1-2]-ib.x", {host("n1-ib.x"), host("n2-ib.x")}},
        {"a range first", "[1-2]n", {host("1n"), host("2n")}},
        {"suffix of a range", "n[1-2]:3", {host("n1", 3), host("n2", 3)}},
        {"folded ports", "u@a:[22-23]", {host("a", 1, 22, "u"), host("a", 1, 23, "u")}},
        {"folded users", "u[1-2]@a", {host("a", 1, 0, "u1"), host("a", 1, 0, "u2")}},
        {"folded slots", "a:[2,4]", {host("a", 2), host("a", 4)}},
        {"IPv6", "[fe80::1]", {host("fe80::1")}},
        {"IPv6 with a zone", "[fe80::1%eth0]", {host("fe80::1%eth0")}},
        {"IPv6 with slots", "[::1]:4", {host("::1", 4)}},
        {"IPv6 with user and port", "joe@[::1]:22", {host("::1", 1, 22, "joe")}},
        {"IPv6 with all", "joe@[::1]:22:4", {host("::1", 4, 22, "joe")}},
        {"IPv6 with folded ports", "[::1]:[1-2]:3", {host("::1", 3, 1), host("::1", 3, 2)}},
        {"IPv6 that maps IPv4", "[::ffff:10.0.0.1]", {host("::ffff:10.0.0.1")}},
    };
    for (const auto& row : rows) {
        auto hosts = parse_hosts(row.text);
        ASSERT_TRUE(hosts) << row.row << ": " << describe(hosts.error());
        EXPECT_EQ(shown(*hosts), shown(row.hosts)) << row.row;
    }
}

TEST(HostList, refuses) {
    struct {
        const char* row;
        std::string text;
    } rows[] = {
        {"nothing", ""},
        {"separators only", " ,\n"},
        {"reversed range", "a,n[5-1],b"},
        {"empty bracket", "n[]"},
        {"empty number", "n[1,]"},
        {"open range", "n[1-]"},
        {"range of three", "n[1-2-3]"},
        {"a step", "n[1-10:2]"},
        {"a step as NodeSet has it", "n[1,3-9/2]"},
        {"a zone is no step", "[fe80::1-2]"},
        {"letters", "n[a-c]"},
        {"blank in a bracket", "n[1, 2]"},
        {"ambiguous padding", "n[1-064]"},
        {"too many digits", "n[1-1000000000000000000]"},
        {"unclosed", "n[1-3,b"},
        {"nested", "n[1[2]]"},
        {"unopened", "n1]"},
        {"too many brackets", "[1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1]"},
        {"too many hosts", "n[1-999999999999]"},
        {"too many in a product", "n[1-3000][1-3000]"},
        {"too many in sum", "n[1-4000000],x"},
        {"no name", "a,:4"},
        {"no name after the user", "joe@"},
        {"no user", "@a"},
        {"a name that is an option", "-oProxyCommand=x"},
        {"a user that is an option", "-l@a"},
        {"a name that is a folder", ".."},
        {"shell in a name", "a;reboot"},
        {"shell in a user", "$(x)@a"},
        {"a slash", "a/b"},
        {"a control character", "a\x1b[1m"},
        {"an escape", "a\x1b"},
        {"a NUL", std::string("a\0b", 3)},
        {"not ASCII", "\xc3\xa4"},
        {"a long name", std::string(256, 'a')},
        {"no slots", "a:0"},
        {"slots missing", "a:"},
        {"slots not a number", "a:4x"},
        {"negative slots", "a:-1"},
        {"too many slots", "a:4294967296"},
        {"slots beyond 64 bits", "a:99999999999999999999"},
        {"a port too high", "joe@a:65536"},
        {"a port not a number", "a:ssh:2"},
        {"three numbers", "a:1:2:3"},
        {"a bad host in a range", "n[1-3]:0"},
        {"IPv6 without brackets", "fe80::1"},
        {"not IPv6", "[a::b::c]"},
        {"IPv6 with an empty zone", "[::1%]"},
        {"shell in a zone", "[::1%$x]"},
        {"text after IPv6", "[::1]a"},
        {"IPv6 within a name", "a[::1]"},
    };
    for (const auto& row : rows) {
        auto hosts = parse_hosts(row.text);
        ASSERT_FALSE(hosts) << row.row << ": " << shown(*hosts);
        expect_golden(row.row, hosts.error().cause);
        EXPECT_EQ(hosts.error().kind, ErrorKind::usage) << row.row;
        EXPECT_EQ(hosts.error().operation, "read the host list") << row.row;
    }
}

TEST(HostList, prints_what_it_reads) {
    struct {
        const char* row;
        Host host;
        const char* text;
    } rows[] = {
        {"name", host("a"), "a"},
        {"slots", host("a", 4), "a:4"},
        {"port", host("a", 1, 22), "a:22:1"},
        {"port and slots", host("a", 4, 22), "a:22:4"},
        {"user", host("a", 1, 0, "u"), "u@a"},
        {"user and port", host("a", 1, 22, "u"), "u@a:22"},
        {"user and slots", host("a", 4, 0, "u"), "u@a:0:4"},
        {"user, port and slots", host("a", 4, 22, "u"), "u@a:22:4"},
        {"IPv6", host("fe80::1%eth0", 4), "[fe80::1%eth0]:4"},
    };
    for (const auto& row : rows) {
        EXPECT_EQ(to_string(row.host), row.text) << row.row;
        auto back = parse_hosts(row.text);
        ASSERT_TRUE(back) << row.row << ": " << describe(back.error());
        EXPECT_EQ(*back, std::vector<Host>{row.host}) << row.row;
    }
}

TEST(HostList, unfolds_a_million_names) {
    auto hosts = parse_hosts("node[0000001-1000000]");
    ASSERT_TRUE(hosts);
    ASSERT_EQ(hosts->size(), 1'000'000u);
    EXPECT_EQ(hosts->front().name, "node0000001");
    EXPECT_EQ(hosts->back().name, "node1000000");
}

/// What a peer sends may not make more hosts than the peer has said there are.
TEST(HostList, makes_no_more_hosts_than_are_wanted) {
    EXPECT_TRUE(parse_hosts("n[1-20]", 20));
    const auto many = parse_hosts("n[1-20]", 19);
    ASSERT_FALSE(many);
    EXPECT_NE(many.error().cause.find("19"), std::string::npos);
    EXPECT_FALSE(parse_hosts("a,b,c", 2));
}

TEST(HostList, merges_repeats) {
    struct {
        const char* row;
        const char* text;
        const char* merged;
    } rows[] = {
        {"no repeat", "b,a", "b,a"},
        {"slots add up at the first place", "a,b:2,a:3", "a:4,b:2"},
        {"thrice", "a,a,b,a", "a:3,b"},
        {"another user is another host", "a,u@a", "a,u@a"},
        {"another port is another host", "u@a:1,u@a:2,u@a:1", "u@a:1:2,u@a:2"},
        {"slots stop at the greatest number", "a:4294967295,a", "a:4294967295"},
    };
    for (const auto& row : rows) {
        auto hosts = parse_hosts(row.text);
        auto merged = parse_hosts(row.merged);
        ASSERT_TRUE(hosts && merged) << row.row;
        EXPECT_EQ(shown(merge_hosts(*hosts)), shown(*merged)) << row.row;
    }
    EXPECT_TRUE(merge_hosts({}).empty());
}

TEST(HostList, joins_lists) {
    const auto joint =
        join_hosts({*parse_hosts("b:2,a"), *parse_hosts("c,a:3,u@b"), {}, *parse_hosts("b")});
    EXPECT_EQ(fold_hosts(joint.hosts), "b:2,a:3,c,u@b");
    EXPECT_EQ(joint.places, (std::vector<std::vector<uint32_t>>{{0, 1}, {2, 1, 3}, {}, {0}}));
    EXPECT_TRUE(join_hosts({}).hosts.empty());
}

}  // namespace
}  // namespace launch
