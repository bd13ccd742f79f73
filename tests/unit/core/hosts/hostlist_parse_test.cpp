#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "core/hosts/hostlist.hpp"

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
        std::string cause;
    } rows[] = {
        {"nothing", "", "it names no host"},
        {"separators only", " ,\n", "it names no host"},
        {"reversed range", "a,n[5-1],b", "\"n[5-1]\": the range 5-1 runs backwards"},
        {"empty bracket", "n[]", "\"n[]\": a bracket is empty"},
        {"empty number", "n[1,]", "\"n[1,]\": \"\" in brackets is not a number"},
        {"open range", "n[1-]", "\"n[1-]\": \"\" in brackets is not a number"},
        {"range of three", "n[1-2-3]", "\"n[1-2-3]\": \"2-3\" in brackets is not a number"},
        {"a step", "n[1-10:2]",
         "\"n[1-10:2]\": steps such as \"1-10:2\" are not known: list the numbers, as in [1,3,5]"},
        {"a step as NodeSet has it", "n[1,3-9/2]",
         "\"n[1,3-9/2]\": steps such as \"3-9/2\" are not known: list the numbers, as in [1,3,5]"},
        {"a zone is no step", "[fe80::1-2]",
         "\"[fe80::1-2]\": \"fe80::1-2\" is not an IPv6 address"},
        {"letters", "n[a-c]", "\"n[a-c]\": \"a\" in brackets is not a number"},
        {"blank in a bracket", "n[1, 2]", "\"n[1, 2]\": \" 2\" in brackets is not a number"},
        {"ambiguous padding", "n[1-064]",
         "\"n[1-064]\": the ends of the range 1-064 are padded to different widths"},
        {"too many digits", "n[1-1000000000000000000]",
         "\"n[1-1000000000000000000]\": \"1000000000000000000\" in brackets has more than 18 "
         "digits"},
        {"unclosed", "n[1-3,b", "\"n[1-3,b\": a bracket is not closed"},
        {"nested", "n[1[2]]", "\"n[1[2]]\": a bracket is not closed"},
        {"unopened", "n1]", "\"n1]\": ']' without '['"},
        {"too many brackets", "[1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1]",
         "\"[1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1]\": more than 16 brackets"},
        {"too many hosts", "n[1-999999999999]",
         "\"n[1-999999999999]\": the list makes more than 4000000 hosts"},
        {"too many in a product", "n[1-3000][1-3000]",
         "\"n[1-3000][1-3000]\": the list makes more than 4000000 hosts"},
        {"too many in sum", "n[1-4000000],x", "\"x\": the list makes more than 4000000 hosts"},
        {"no name", "a,:4", "\":4\": the name is empty"},
        {"no name after the user", "joe@", "\"joe@\": the name is empty"},
        {"no user", "@a", "\"@a\": the user is empty"},
        {"a name that is an option", "-oProxyCommand=x",
         "\"-oProxyCommand=x\": the name begins with '-'"},
        {"a user that is an option", "-l@a", "\"-l@a\": the user begins with '-'"},
        {"a name that is a folder", "..", "\"..\": the name begins with '.'"},
        {"shell in a name", "a;reboot",
         "\"a;reboot\": the character \";\" is not allowed in a name"},
        {"shell in a user", "$(x)@a", "\"$(x)@a\": the character \"$\" is not allowed in a user"},
        {"a slash", "a/b", "\"a/b\": the character \"/\" is not allowed in a name"},
        {"a control character", "a\x1b[1m", "\"a\\x1b[1m\": a bracket is not closed"},
        {"an escape", "a\x1b", "\"a\\x1b\": the character \"\\x1b\" is not allowed in a name"},
        {"a NUL", std::string("a\0b", 3),
         "\"a\\x00b\": the character \"\\x00\" is not allowed in a name"},
        {"not ASCII", "\xc3\xa4",
         "\"\\xc3\\xa4\": the character \"\\xc3\" is not allowed in a name"},
        {"a long name", std::string(256, 'a'),
         "\"" + std::string(64, 'a') + "...\": the name is longer than 255 characters"},
        {"no slots", "a:0", "\"a:0\": the number of slots is 0"},
        {"slots missing", "a:", "\"a:\": the number of slots \"\" is not a number"},
        {"slots not a number", "a:4x", "\"a:4x\": the number of slots \"4x\" is not a number"},
        {"negative slots", "a:-1", "\"a:-1\": the number of slots \"-1\" is not a number"},
        {"too many slots", "a:4294967296",
         "\"a:4294967296\": the number of slots 4294967296 is above 4294967295"},
        {"slots beyond 64 bits", "a:99999999999999999999",
         "\"a:99999999999999999999\": the number of slots 99999999999999999999 is above "
         "4294967295"},
        {"a port too high", "joe@a:65536", "\"joe@a:65536\": the port 65536 is above 65535"},
        {"a port not a number", "a:ssh:2", "\"a:ssh:2\": the port \"ssh\" is not a number"},
        {"three numbers", "a:1:2:3", "\"a:1:2:3\": the number of slots \"2:3\" is not a number"},
        {"a bad host in a range", "n[1-3]:0", "\"n[1-3]:0\": the number of slots is 0"},
        {"IPv6 without brackets", "fe80::1",
         "\"fe80::1\": an IPv6 address is written in brackets: [fe80::1]"},
        {"not IPv6", "[a::b::c]", "\"[a::b::c]\": \"a::b::c\" is not an IPv6 address"},
        {"IPv6 with an empty zone", "[::1%]", "\"[::1%]\": the zone of the IPv6 address is empty"},
        {"shell in a zone", "[::1%$x]",
         "\"[::1%$x]\": the character \"$\" is not allowed in a zone of the IPv6 address"},
        {"text after IPv6", "[::1]a", "\"[::1]a\": \"a\" follows the address"},
        {"IPv6 within a name", "a[::1]",
         "\"a[::1]\": the character \"[\" is not allowed in a name"},
    };
    for (const auto& row : rows) {
        auto hosts = parse_hosts(row.text);
        ASSERT_FALSE(hosts) << row.row << ": " << shown(*hosts);
        EXPECT_EQ(hosts.error().cause, row.cause) << row.row;
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
    EXPECT_EQ(many.error().cause, "\"n[1-20]\": the list makes more than 19 hosts");
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
