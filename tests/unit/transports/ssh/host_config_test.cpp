// SPDX-License-Identifier: MIT
#include "transports/ssh/host_config.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

const SshUser user{
    "me",
    "/home/me",
    1000,
    "/run/agent",
    [](const std::string& other) {
        return other == "bob" ? std::optional<std::string>("/home/bob") : std::nullopt;
    },
    [](const std::string& name) {
        return name == "KEYS" ? std::optional<std::string>("/my/keys") : std::nullopt;
    }};

HostConfig resolve(const std::string& text, const std::string& name, std::string as = {},
                   uint16_t port = 0) {
    ConfigFiles files;
    files.read = [&](const std::string&) -> ConfigFile { return {{text, 0}, {}}; };
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

TEST(HostConfig, has_the_proxy_that_comes_first) {
    EXPECT_EQ(resolve("ProxyJump a,b\nProxyCommand c\n", "n1").proxy_jump, "a,b");
    EXPECT_EQ(resolve("ProxyJump a,b\nProxyCommand c\n", "n1").proxy_command, "");
    EXPECT_EQ(resolve("ProxyCommand c\nProxyJump a\n", "n1").proxy_command, "c");
    EXPECT_EQ(resolve("ProxyCommand c\nProxyJump a\n", "n1").proxy_jump, "");
    EXPECT_EQ(resolve("ProxyJump none\n", "n1").proxy_jump, "");
}

TEST(HostConfig, RecordsNewKeysInTheUsersFirstFile) {
    EXPECT_EQ(resolve("", "n1").new_keys_file, "/home/me/.ssh/known_hosts");
    EXPECT_EQ(resolve("UserKnownHostsFile ~/a ~/b\n", "n1").new_keys_file, "/home/me/a");
    const HostConfig none = resolve("UserKnownHostsFile none\nGlobalKnownHostsFile /g\n", "n1");
    EXPECT_EQ(none.new_keys_file, "");
    EXPECT_EQ(resolve("UserKnownHostsFile None\n", "n1").new_keys_file, "");
    EXPECT_EQ(none.known_hosts_files, std::vector<std::string>{"/g"});
    EXPECT_FALSE(none.hash_names);
    EXPECT_TRUE(resolve("HashKnownHosts yes\n", "n1").hash_names);
}

/// OpenSSH refuses such a file, and says why.
TEST(HostConfig, LeavesAFileThatIncludesItselfToOpenssh) {
    ConfigFiles files;
    files.read = [](const std::string&) -> ConfigFile { return {{"Include c\n", 0}, {}}; };
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
        {"host=n1", true},
        {"!user=me", false},
        {"canonical all", false},
        {"!canonical", true},
        {"final all", true},
        {"final host n1", true},
        {"final host n2", false},
        {"!final", true},
        {"host final", false},
        {"tagged t", true},
        {"tagged u", false},
        {"tagged \"\"", false},
        {"sessiontype exec", true},
        {"sessiontype shell", false},
    };
    for (const auto& row : rows) {
        const HostConfig config =
            resolve(std::string("Tag t\nMatch ") + row.criteria + "\n Port 99\n", "n1");
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
    // A line that ssh refuses.
    EXPECT_EQ(resolve("Match host\n Port 9\n", "n1").needs_openssh, "Match host");
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
        {"HostbasedAuthentication False", ""},
        {"CheckHostIP false", ""},
        {"CheckHostIP true", "CheckHostIP"},
        {"CanonicalizeHostname yes", "CanonicalizeHostname"},
        {"PreferredAuthentications password", "PreferredAuthentications"},
        {"PreferredAuthentications publickey,password", ""},
        {"BindAddress 10.0.0.1", "BindAddress"},
        {"RevokedHostKeys /x", "RevokedHostKeys"},
        {"IdentityFile ~/k_%C", "IdentityFile"},
        {"IdentityFile ${UNSET}/k", "IdentityFile"},
        {"IdentityFile ${KEYS}/k", ""},
        {"IdentityFile ~nobody/k", "IdentityFile"},
        {"IdentityFile ~bob/k", ""},
        {"UserKnownHostsFile ${UNSET}", "userknownhostsfile"},
        {"IdentityFile pkcs11:x", "IdentityFile pkcs11:"},
        {"IdentityAgent $SOCK", ""},
        {"IdentityAgent ${UNSET}", "IdentityAgent"},
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
        "IdentityFile None\nIdentityFile %d/k\nUserKnownHostsFile ~/a \"/b "
        "c\"\nGlobalKnownHostsFile none\n",
        "n1");
    EXPECT_EQ(config.identity_files,
              (std::vector<std::string>{"/home/me/.ssh/n1_r_9_bob_me_1000%", "/home/me/k"}));
    EXPECT_EQ(config.known_hosts_files, (std::vector<std::string>{"/home/me/a", "/b c"}));
}

TEST(HostConfig, ExpandsUsersAndVariables) {
    const HostConfig config = resolve(
        "IdentityFile ${KEYS}/%n\nIdentityFile ~bob/k\nIdentityFile ~\nIdentityAgent ${KEYS}\n"
        "UserKnownHostsFile ${KEYS}/known ~bob/known\n",
        "n1");
    EXPECT_EQ(config.identity_files,
              (std::vector<std::string>{"/my/keys/n1", "/home/bob/k", "/home/me"}));
    EXPECT_EQ(config.agent, "/my/keys");
    EXPECT_EQ(config.new_keys_file, "/my/keys/known");
    EXPECT_EQ(resolve("IdentityAgent $KEYS\n", "n1").agent, "/my/keys");
    EXPECT_EQ(resolve("IdentityAgent $UNSET\n", "n1").agent, "");
}

/// What ssh 9.2 -G says of each.
TEST(HostConfig, GoesThroughTheConfigAgainWhereMatchFinalAsksForIt) {
    struct Row {
        const char* name;
        const char* text;
        const char* host_name;
        const char* user;
        int port;
    };
    const Row rows[] = {
        {"what the first pass found stands", "Match final\n Port 9\nHost n1\n Port 8\n", "n1", "me",
         8},
        {"a name that comes late comes too late", "Match final\n HostName other\n", "n1", "me", 22},
        {"Host sees the new name", "HostName Real\nMatch final\n User q\nHost real\n Port 9\n",
         "real", "q", 9},
        {"only in a second pass", "HostName Real\nHost real\n Port 9\n", "real", "me", 22},
        {"a match that fails asks, too", "Match host zz final\nMatch canonical\n Port 9\n", "n1",
         "me", 9},
        {"so does one for another host", "Host zz\nMatch final\n User q\n", "n1", "q", 22},
        {"the name as typed",
         "Match final originalhost n1 host real\n Port 9\nHost n1\n"
         " HostName REAL\n",
         "real", "me", 9},
        {"a name with a percent sign", "HostName a%%h\nMatch final host a%h\n Port 9\n", "a%h",
         "me", 9},
    };
    for (const auto& row : rows) {
        const HostConfig config = resolve(row.text, "n1");
        EXPECT_EQ(config.host_name, row.host_name) << row.name;
        EXPECT_EQ(config.user, row.user) << row.name;
        EXPECT_EQ(config.port, row.port) << row.name;
        EXPECT_EQ(config.needs_openssh, "") << row.name;
    }
    EXPECT_EQ(resolve("IdentityFile /a\nMatch final\n IdentityFile /b\n", "n1").identity_files,
              (std::vector<std::string>{"/a", "/b"}));
}

/// The files that these distributions install, put together.
TEST(HostConfig, NeedsNoSshForTheFilesOfDistributions) {
    const std::string systemd =
        "Host unix/* vsock/* vsock-mux/*\n ProxyCommand /usr/lib/systemd/systemd-ssh-proxy %h %p\n"
        " ProxyUseFdpass yes\n CheckHostIP no\n";
    const std::string red_hat =
        "Match final all\n Ciphers aes256-gcm@openssh.com,aes256-ctr\n MACs hmac-sha2-256\n"
        " GSSAPIKexAlgorithms gss-curve25519-sha256-\n KexAlgorithms curve25519-sha256\n"
        " PubkeyAcceptedAlgorithms ssh-ed25519,rsa-sha2-256\n CASignatureAlgorithms ssh-ed25519\n"
        " RequiredRSASize 2048\n GSSAPIAuthentication yes\n ForwardX11Trusted yes\n"
        " SendEnv LANG LC_CTYPE\n SendEnv XMODIFIERS\n";
    const std::string ubuntu =
        "Host *\n SendEnv LANG LC_* COLORTERM\n HashKnownHosts yes\n GSSAPIAuthentication yes\n";
    const HostConfig config = resolve("Ciphers aes128-ctr\n" + systemd + red_hat, "n1");
    EXPECT_EQ(config.needs_openssh, "");
    EXPECT_EQ(config.ciphers, "aes128-ctr");
    EXPECT_EQ(config.macs, "hmac-sha2-256");
    EXPECT_EQ(config.kex, "curve25519-sha256");
    EXPECT_EQ(config.public_key_algorithms, "ssh-ed25519,rsa-sha2-256");
    EXPECT_EQ(config.rsa_min_bits, 2048);
    EXPECT_TRUE(config.gssapi);
    EXPECT_EQ(resolve(systemd + red_hat, "vsock/3").needs_openssh, "ProxyCommand");
    EXPECT_EQ(resolve(systemd + ubuntu, "n1").needs_openssh, "");
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
