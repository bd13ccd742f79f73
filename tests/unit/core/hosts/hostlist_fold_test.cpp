// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

#include "core/hosts/hostlist.hpp"

namespace launch {
namespace {

TEST(HostList, folds) {
    struct {
        const char* row;
        const char* text;
        const char* folded;
    } rows[] = {
        {"one host", "node17", "node17"},
        {"no number", "a,b", "a,b"},
        {"a range", "n1,n2,n3", "n[1-3]"},
        {"padded", "n001,n002,n003", "n[001-003]"},
        {"from 9 to 10", "n8,n9,n10", "n[8-10]"},
        {"from 09 to 10", "n09,n10", "n[09-10]"},
        {"beyond the padding", "n98,n99,n100", "n[98-100]"},
        {"padding changes", "n1,n02,n3", "n[1,02,3]"},
        {"padding of the same number", "n1,n01", "n[1,01]"},
        {"order is kept", "n3,n1,n2,n9", "n[3,1-2,9]"},
        {"downwards", "n3,n2,n1", "n[3,2,1]"},
        {"a repeat", "n1,n1,n2", "n[1,1-2]"},
        {"a repeat without number", "a,a", "a,a"},
        {"the last field", "r1n1,r1n2,r2n1,r2n2", "r1n[1-2],r2n[1-2]"},
        {"a field that is not the last", "n1-eth0,n2-eth0", "n[1-2]-eth0"},
        {"addresses", "10.0.0.1,10.0.0.2", "10.0.0.[1-2]"},
        {"two fields at once", "r1n1,r2n2", "r1n1,r2n2"},
        {"number or none", "n,n1,n2", "n,n[1-2]"},
        {"same slots", "n1:2,n2:2", "n[1-2]:2"},
        {"other slots", "n1:2,n1:3", "n1:[2-3]"},
        {"ports", "u@a:22,u@a:23", "u@a:[22-23]"},
        {"users", "u1@a,u2@a", "u[1-2]@a"},
        {"IPv6 stays apart", "[fe80::1],[fe80::2]", "[fe80::1],[fe80::2]"},
        {"18 digits", "n999999999999999998,n999999999999999999",
         "n[999999999999999998-999999999999999999]"},
        {"19 digits are a word", "n1000000000000000000,n1000000000000000001",
         "n1000000000000000000,n1000000000000000001"},
    };
    for (const auto& row : rows) {
        auto hosts = parse_hosts(row.text);
        ASSERT_TRUE(hosts) << row.row << ": " << describe(hosts.error());
        EXPECT_EQ(fold_hosts(*hosts), row.folded) << row.row;
        auto back = parse_hosts(row.folded);
        ASSERT_TRUE(back) << row.row << ": " << describe(back.error());
        EXPECT_EQ(*back, *hosts) << row.row;
    }
    EXPECT_EQ(fold_hosts({}), "");
}

// Lists made to collide: few letters, few numbers, every part of a host.
class RandomHosts {
  public:
    explicit RandomHosts(uint32_t seed) : random_(seed) {}

    std::vector<Host> list() {
        std::vector<Host> hosts;
        while (hosts.empty() || below(12) != 0) {
            hosts.push_back(!hosts.empty() && below(2) == 0 ? successor(hosts.back()) : host());
        }
        return hosts;
    }

  private:
    uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_()) % n; }

    std::string number() {
        static const char* const numbers[] = {"0",
                                              "1",
                                              "2",
                                              "9",
                                              "10",
                                              "00",
                                              "01",
                                              "08",
                                              "09",
                                              "010",
                                              "99",
                                              "100",
                                              "099",
                                              "999999999999999999",
                                              "1000000000000000000",
                                              "0000000000000000000001"};
        return numbers[below(std::size(numbers))];
    }

    std::string name() {
        if (below(10) == 0) return std::string("fe80::").append(std::to_string(below(9)));
        static const char* const words[] = {"n", "a", "n-", "r.", "_"};
        std::string out = below(4) == 0 ? number() : words[below(2)];
        for (uint32_t i = below(5); i > 0; --i) {
            out += below(2) == 0 ? number() : words[below(5)];
        }
        return out;
    }

    Host host() {
        Host h{.user = {}, .name = name()};
        if (below(4) == 0) (h.user += "joe") += number();
        if (below(4) == 0) h.port = static_cast<uint16_t>(below(3) + 21);
        if (below(4) == 0) h.slots = below(3) + 1;
        return h;
    }

    // The next host as a cluster would name it.
    Host successor(Host h) {
        std::size_t end = h.name.find_last_not_of("0123456789");
        std::string digits = h.name.substr(end == h.name.npos ? 0 : end + 1);
        if (digits.empty() || digits.size() > 18 || h.name.find(':') != h.name.npos) return h;
        std::string next = std::to_string(std::stoull(digits) + 1);
        if (next.size() < digits.size()) {
            next = std::string(digits.size() - next.size(), '0').append(next);
        }
        h.name.replace(h.name.size() - digits.size(), digits.size(), next);
        return h;
    }

    std::mt19937 random_;
};

TEST(HostList, reads_back_whatever_it_folds) {
    for (uint32_t seed = 0; seed < 20'000; ++seed) {
        std::vector<Host> hosts = RandomHosts(seed).list();
        std::string folded = fold_hosts(hosts);
        auto back = parse_hosts(folded);
        ASSERT_TRUE(back) << "seed " << seed << ": " << describe(back.error());
        ASSERT_EQ(*back, hosts) << "seed " << seed << ": " << folded;
    }
}

TEST(HostList, folds_a_million_names) {
    auto hosts = parse_hosts("r[1-1000]n[0001-1000]");
    ASSERT_TRUE(hosts);
    std::string folded = fold_hosts(*hosts);
    EXPECT_EQ(folded.substr(0, 32), "r1n[0001-1000],r2n[0001-1000],r3");
    auto back = parse_hosts(folded);
    ASSERT_TRUE(back);
    EXPECT_TRUE(*back == *hosts);
}

TEST(HostList, folds_names_for_messages) {
    struct {
        const char* row;
        std::vector<std::string> names;
        const char* folded;
    } rows[] = {
        {"none", {}, ""},
        {"one", {"node17"}, "node17"},
        {"sorted and once each", {"n3", "n1", "n2", "n1"}, "n[1-3]"},
        {"as people count", {"n10", "n9", "n1"}, "n[1,9-10]"},
        {"padded", {"node203", "node017", "node204"}, "node[017,203-204]"},
        {"words before numbers of the same start", {"n1", "n"}, "n,n1"},
        {"racks", {"r10n1", "r2n2", "r2n1", "r10n2"}, "r2n[1-2],r10n[1-2]"},
        {"padding does not count", {"n01", "n2", "n1"}, "n[01,1-2]"},
        {"longer than any integer",
         {"n100000000000000000000", "n99999999999999999999"},
         "n99999999999999999999,n100000000000000000000"},
        {"IPv6", {"fe80::2", "fe80::1", "a"}, "a,[fe80::1],[fe80::2]"},
    };
    for (const auto& row : rows) {
        EXPECT_EQ(fold_names(row.names), row.folded) << row.row;
    }
}

}  // namespace
}  // namespace launch
