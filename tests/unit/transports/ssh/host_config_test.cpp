#include "transports/ssh/host_config.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

const SshUser user{"me", "/home/me", 1000, "/run/agent"};

HostConfig resolve(const std::string& text, const std::string& name, std::string as = {},
                   uint16_t port = 0) {
    ConfigFiles files;
    files.read = [&](const std::string&) { return std::optional(text); };
    files.glob = [](const std::string&) { return std::vector<std::string>(); };
    Host host;
    host.name = name;
    host.user = std::move(as);
    host.port = port;
    return resolve_host(read_ssh_config({{"config", "/"}}, files), user, host);
}

TEST(HostConfig, HasOpenSshsDefaults) {
    const HostConfig config = resolve("", "Node1");
    EXPECT_EQ(config.host_name, "node1");
    EXPECT_EQ(config.user, "me");
    EXPECT_EQ(config.port, 22);
    EXPECT_EQ(config.agent, "/run/agent");
    EXPECT_EQ(config.trust, HostConfig::Trust::strict);
    EXPECT_EQ(config.identity_files.size(), 3U);
    EXPECT_EQ(config.known_hosts_files.front(), "/home/me/.ssh/known_hosts");
    EXPECT_TRUE(config.needs_openssh.empty());
}

TEST(HostConfig, RecordsNewKeysInTheUsersFirstFile) {
    EXPECT_EQ(resolve("", "n1").new_keys_file, "/home/me/.ssh/known_hosts");
    EXPECT_EQ(resolve("UserKnownHostsFile ~/a ~/b\n", "n1").new_keys_file, "/home/me/a");
    const HostConfig none = resolve("UserKnownHostsFile none\nGlobalKnownHostsFile /g\n", "n1");
    EXPECT_EQ(none.new_keys_file, "");
    EXPECT_EQ(none.known_hosts_files, std::vector<std::string>{"/g"});
    EXPECT_FALSE(none.hash_names);
    EXPECT_TRUE(resolve("HashKnownHosts yes\n", "n1").hash_names);
}

/// OpenSSH refuses such a file, and says why.
TEST(HostConfig, LeavesAFileThatIncludesItselfToOpenssh) {
    ConfigFiles files;
    files.read = [](const std::string&) { return std::optional<std::string>("Include c\n"); };
    files.glob = [](const std::string& pattern) { return std::vector<std::string>{pattern}; };
    Host host;
    host.name = "n1";
    EXPECT_EQ(resolve_host(read_ssh_config({{"c", "/"}}, files), user, host).needs_openssh,
              "Include");
}

TEST(HostConfig, TheFirstValueCounts) {
    const HostConfig config = resolve(
        "Host n*\n User a\nHost n1\n User b\n Port 2222\nHost *\n HostName %h.example\n Port 1\n",
        "n1");
    EXPECT_EQ(config.user, "a");
    EXPECT_EQ(config.port, 2222);
    EXPECT_EQ(config.host_name, "n1.example");
}

TEST(HostConfig, WhatTheUserTypedOverrulesTheConfig) {
    const HostConfig config = resolve("Host *\n User a\n Port 2222\n", "n1", "me2", 24);
    EXPECT_EQ(config.user, "me2");
    EXPECT_EQ(config.port, 24);
}

TEST(HostConfig, PatternsSeeTheNameAsTyped) {
    const char* text = "Host n1\n HostName real\nHost real\n User wrong\nHost n1\n User right\n";
    EXPECT_EQ(resolve(text, "n1").user, "right");
}

TEST(HostConfig, DecidesWhatOfMatchItCan) {
    struct Row {
        const char* criteria;
        bool applies;
    };
    const Row rows[] = {
        {"all", true},
        {"host n1", true},
        {"host n2", false},
        {"!host n2", true},
        {"originalhost n*,!n2", true},
        {"host N1", true},
        {"originalhost N*", true},
        {"user ME", false},
        {"user me", true},
        {"user you", false},
        {"localuser me host n1", true},
        {"canonical all", false},
    };
    for (const auto& row : rows) {
        const HostConfig config =
            resolve(std::string("Match ") + row.criteria + "\n Port 99\n", "n1");
        EXPECT_EQ(config.port == 99, row.applies) << row.criteria;
        EXPECT_EQ(config.needs_openssh, "") << row.criteria;
    }
}

TEST(HostConfig, MatchHostSeesTheHostName) {
    EXPECT_EQ(resolve("HostName real\nMatch host real\n Port 9\n", "n1").port, 9);
    EXPECT_EQ(resolve("HostName real\nMatch host n1\n Port 9\n", "n1").port, 22);
}

TEST(HostConfig, LeavesToOpenSshWhatItCannotDecide) {
    EXPECT_EQ(resolve("Match host n1 exec \"true\"\n Port 9\n", "n1").needs_openssh, "Match exec");
    EXPECT_TRUE(resolve("ProxyJump j\nMatch exec \"true\"\n Port 9\n", "n1").undecided);
    EXPECT_FALSE(resolve("ProxyJump j\nMatch host n1\n Port 9\n", "n1").undecided);
    // A criterion that failed before decides without it.
    EXPECT_EQ(resolve("Match host n2 exec \"true\"\n Port 9\n", "n1").needs_openssh, "");
}

TEST(HostConfig, LeavesToOpenSshWhatLibsshCannotDo) {
    struct Row {
        const char* line;
        const char* why;
    };
    const Row rows[] = {
        {"ProxyJump gate", "ProxyJump"},
        {"ProxyJump none", ""},
        {"ProxyCommand nc %h %p", "ProxyCommand"},
        {"CertificateFile ~/c", "CertificateFile"},
        {"HostbasedAuthentication yes", "HostbasedAuthentication"},
        {"HostbasedAuthentication no", ""},
        {"CanonicalizeHostname yes", "CanonicalizeHostname"},
        {"PreferredAuthentications password", "PreferredAuthentications"},
        {"PreferredAuthentications publickey,password", ""},
        {"BindAddress 10.0.0.1", "BindAddress"},
        {"RevokedHostKeys /x", "RevokedHostKeys"},
        {"IdentityFile ~/k_%C", "IdentityFile"},
        {"IdentityFile ${HOME}/k", "IdentityFile"},
        {"IdentityFile pkcs11:x", "IdentityFile pkcs11:"},
        {"IdentityAgent $SOCK", "IdentityAgent"},
        {"SendEnv LANG LC_*", ""},
        {"HashKnownHosts yes", ""},
        {"GSSAPIAuthentication yes", ""},
        {"ControlMaster auto", ""},
        {"ForwardAgent yes", ""},
        {"HostKeyAlias alias", ""},
        {"AddressFamily inet6", ""},
    };
    for (const auto& row : rows) {
        EXPECT_EQ(resolve(row.line, "n1").needs_openssh, row.why) << row.line;
        EXPECT_EQ(resolve(std::string("Host other\n") + row.line, "n1").needs_openssh, "")
            << row.line << " of another host";
    }
}

TEST(HostConfig, TheFirstProxyRulesTheOtherOut) {
    EXPECT_EQ(resolve("ProxyJump gate\nProxyCommand none\n", "n1").needs_openssh, "ProxyJump");
    EXPECT_EQ(resolve("ProxyJump none\nProxyCommand nc\n", "n1").needs_openssh, "ProxyCommand");
    EXPECT_EQ(resolve("ProxyJump none\nProxyJump gate\n", "n1").needs_openssh, "");
}

TEST(HostConfig, ExpandsTokens) {
    const HostConfig config = resolve(
        "User bob\nPort 9\nHostName R\nIdentityFile ~/.ssh/%n_%h_%p_%r_%u_%i%%\n"
        "IdentityFile %d/k\nUserKnownHostsFile ~/a \"/b c\"\nGlobalKnownHostsFile none\n",
        "n1");
    EXPECT_EQ(config.identity_files,
              (std::vector<std::string>{"/home/me/.ssh/n1_r_9_bob_me_1000%", "/home/me/k"}));
    EXPECT_EQ(config.known_hosts_files, (std::vector<std::string>{"/home/me/a", "/b c"}));
}

TEST(HostConfig, ReadsTheRest) {
    const HostConfig config = resolve(
        "StrictHostKeyChecking accept-new\nIdentitiesOnly yes\nIdentityAgent none\n"
        "HostKeyAlias Alias\nCompression yes\nKexAlgorithms ^a\nAddressFamily inet\n"
        "RequiredRSASize 3072\nPubkeyAuthentication no\n",
        "n1");
    EXPECT_EQ(config.trust, HostConfig::Trust::unknown);
    EXPECT_TRUE(config.identities_only);
    EXPECT_EQ(config.agent, "");
    EXPECT_EQ(config.key_alias, "alias");
    EXPECT_TRUE(config.compression);
    EXPECT_EQ(config.kex, "^a");
    EXPECT_EQ(config.family, HostConfig::Family::ipv4);
    EXPECT_EQ(config.rsa_min_bits, 3072);
    EXPECT_FALSE(config.public_key);
}

TEST(HostConfig, LaysTheUsersAlgorithmsOverOurs) {
    struct Row {
        const char* users;
        const char* expected;
    };
    const Row rows[] = {
        {"", "a,b,c"},   {"x,a", "x,a"}, {"+x,b", "a,b,c,x"},
        {"^c", "c,a,b"}, {"-b*", "a,c"}, {"-a,c", "b"},
    };
    for (const auto& row : rows)
        EXPECT_EQ(combine_algorithms("a,b,c", row.users), row.expected) << row.users;
}

}  // namespace
}  // namespace launch
