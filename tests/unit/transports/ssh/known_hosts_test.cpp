// SPDX-License-Identifier: MIT
#include "transports/ssh/known_hosts.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

// The hash of the fourth line is nobody's.
constexpr const char* file_text =
    "# a comment\n"
    "node1,10.0.0.1 ssh-ed25519 AAAA comment words\n"
    "node1 ssh-rsa RRRR\n"
    "|1|a1GoeMaNMgEiD2Ibs8fakeFAKE8=|notthehash0000000000000000000= ssh-ed25519 HHHH\n"
    "*.example.com,!bad.example.com ssh-ed25519 WWWW\n"
    "[node1]:2222 ssh-ed25519 PPPP\n"
    "@revoked node9 ssh-ed25519 VVVV\n"
    "@cert-authority *.ca ssh-ed25519 CCCC\n"
    "@strange node1 ssh-ed25519 XXXX\n"
    "UPPER ssh-ed25519 UUUU\r\n"
    "broken\n"
    "last ssh-ed25519 LLLL";

std::string keys_of(const KnownHosts& hosts, std::string_view name) {
    std::vector<KnownKey> found;
    hosts.find(name, found);
    std::string keys;
    for (const auto& key : found)
        keys += std::string(key.key) + " ";
    return keys;
}

TEST(KnownHosts, FindsTheLinesOfAHost) {
    const KnownHosts hosts("f", file_text);
    EXPECT_EQ(keys_of(hosts, "node1"), "AAAA RRRR ");
    EXPECT_EQ(keys_of(hosts, "10.0.0.1"), "AAAA ");
    EXPECT_EQ(keys_of(hosts, "a.example.com"), "WWWW ");
    EXPECT_EQ(keys_of(hosts, "bad.example.com"), "");
    EXPECT_EQ(keys_of(hosts, known_hosts_name("node1", 2222)), "PPPP ");
    EXPECT_EQ(keys_of(hosts, known_hosts_name("node1", 22)), "AAAA RRRR ");
    EXPECT_EQ(keys_of(hosts, "upper"), "UUUU ");
    EXPECT_EQ(keys_of(hosts, "last"), "LLLL ");
    EXPECT_EQ(keys_of(hosts, "broken"), "");
    EXPECT_EQ(keys_of(hosts, "node"), "");
}

TEST(KnownHosts, FindsHashedNames) {
    // HMAC-SHA1 with the salt "salt" in base64 "c2FsdA==", of "hidden".
    const KnownHosts hosts("f", "|1|c2FsdA==|LkPJG8dok4JF1damABw849nEb4Y= ssh-ed25519 HHHH\n");
    EXPECT_EQ(keys_of(hosts, "hidden"), "HHHH ");
    EXPECT_EQ(keys_of(hosts, "other"), "");
}

TEST(KnownHosts, SurvivesBrokenHashes) {
    const KnownHosts hosts("f", "|1| ssh-rsa A\n|1|x ssh-rsa A\n|1|c2FsdA==|short ssh-rsa A\n");
    EXPECT_EQ(keys_of(hosts, "x"), "");
}

TEST(KnownHosts, JudgesAKey) {
    const KnownHosts hosts("f", file_text);
    const auto judge = [&](std::string_view name, std::string_view type, std::string_view key) {
        std::vector<KnownKey> found;
        hosts.find(name, found);
        return judge_key(found, type, key);
    };
    EXPECT_EQ(judge("node1", "ssh-ed25519", "AAAA").verdict, KeyVerdict::known);
    EXPECT_EQ(judge("node1", "ssh-ed25519", "BBBB").verdict, KeyVerdict::changed);
    EXPECT_EQ(judge("node1", "ssh-ed25519", "BBBB").known_at, "f:2");
    EXPECT_EQ(judge("node1", "ssh-rsa", "BBBB").known_at, "f:3");
    EXPECT_EQ(judge("node1", "ecdsa-sha2-nistp256", "EEEE").verdict, KeyVerdict::changed);
    EXPECT_EQ(judge("node1", "ecdsa-sha2-nistp256", "EEEE").known_at, "f:2");
    EXPECT_EQ(judge("nobody", "ssh-ed25519", "AAAA").verdict, KeyVerdict::unknown);
    EXPECT_EQ(judge("node9", "ssh-ed25519", "VVVV").verdict, KeyVerdict::revoked);
    EXPECT_EQ(judge("node9", "ssh-ed25519", "OTHER").verdict, KeyVerdict::unknown);
    EXPECT_TRUE(judge("x.ca", "ssh-ed25519", "AAAA").authority);
}

TEST(KnownHosts, AsksForTheKindsOfKeyThatAreKnown) {
    const KnownHosts hosts("f", "n ssh-rsa R\nca ecdsa-sha2-nistp256 E\n");
    const char* ours = "ssh-ed25519,ecdsa-sha2-nistp256,rsa-sha2-512,rsa-sha2-256";
    const auto order = [&](std::string_view name) {
        std::vector<KnownKey> found;
        hosts.find(name, found);
        return order_host_key_algorithms(found, ours);
    };
    EXPECT_EQ(order("n"), "rsa-sha2-512,rsa-sha2-256,ssh-ed25519,ecdsa-sha2-nistp256");
    EXPECT_EQ(order("ca"), "ecdsa-sha2-nistp256,ssh-ed25519,rsa-sha2-512,rsa-sha2-256");
    EXPECT_EQ(order("nobody"), ours);
}

}  // namespace
}  // namespace launch
