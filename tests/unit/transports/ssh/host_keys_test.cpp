// SPDX-License-Identifier: MIT
#include "transports/ssh/host_keys.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace launch {
namespace {

/// What is said about the key "ssh-ed25519 KEY" that `host` showed at port 2222, or its alias.
/// OpenSSH 9.2 says the same of each row, but for a key that is revoked at another port: it warns,
/// then calls it unknown.
KeyVerdict verdict(const std::string& lines, const std::string& alias = {}) {
    const std::string path = testing::TempDir() + "known_hosts";
    std::ofstream(path) << lines;
    HostConfig config;
    config.host_name = "host";
    config.port = 2222;
    config.key_alias = alias;
    config.known_hosts_files = {path};
    KnownHostsFiles files;
    const HostKeys found = files.find(config);
    return judge_key(found.keys, "ssh-ed25519", "KEY").verdict;
}

TEST(HostKeys, AHostsUsualKeyIsGoodForItsOtherPorts) {
    EXPECT_EQ(verdict("host ssh-ed25519 KEY\n"), KeyVerdict::known);
    EXPECT_EQ(verdict("host ssh-rsa OTHER\nhost ssh-ed25519 KEY\n"), KeyVerdict::known);
    EXPECT_EQ(verdict("@revoked [host]:2222 ssh-rsa OTHER\nhost ssh-ed25519 KEY\n"),
              KeyVerdict::known);
}

TEST(HostKeys, AFileThatCannotBeReadIsNoFileWithoutTheKey) {
    HostConfig config;
    config.host_name = "host";
    config.known_hosts_files = {testing::TempDir() + "no such file", testing::TempDir()};
    KnownHostsFiles files;
    EXPECT_EQ(files.find(config).unread, testing::TempDir() + ": Is a directory");
    // Nor is one that nobody can look at.
    const std::string loop = testing::TempDir() + "known_hosts_loop";
    ASSERT_EQ(symlink(loop.c_str(), loop.c_str()), 0);
    config.known_hosts_files = {loop, testing::TempDir() + "no such file"};
    EXPECT_EQ(files.find(config).unread, loop + ": Too many levels of symbolic links");
    ASSERT_EQ(unlink(loop.c_str()), 0);
    std::ofstream(loop) << "other ssh-ed25519 KEY\n";
    config.known_hosts_files = {loop + "/below a file"};
    EXPECT_EQ(files.find(config).unread, "");
    unlink(loop.c_str());
}

TEST(HostKeys, AnotherKeyAtAnotherPortIsNotAChangedKey) {
    EXPECT_EQ(verdict("host ssh-ed25519 OTHER\n"), KeyVerdict::unknown);
    EXPECT_EQ(verdict("host ssh-rsa OTHER\n"), KeyVerdict::unknown);
    EXPECT_EQ(verdict("[host]:2223 ssh-ed25519 OTHER\n"), KeyVerdict::unknown);
}

TEST(HostKeys, WhatIsSaidOfThePortItselfHolds) {
    EXPECT_EQ(verdict("[host]:2222 ssh-ed25519 KEY\nhost ssh-ed25519 OTHER\n"), KeyVerdict::known);
    EXPECT_EQ(verdict("[host]:2222 ssh-ed25519 OTHER\nhost ssh-ed25519 KEY\n"),
              KeyVerdict::changed);
    EXPECT_EQ(verdict("[host]:2222 ssh-rsa OTHER\nhost ssh-ed25519 KEY\n"), KeyVerdict::changed);
}

TEST(HostKeys, ARevokedKeyIsRevokedAtEveryPort) {
    EXPECT_EQ(verdict("@revoked host ssh-ed25519 KEY\n"), KeyVerdict::revoked);
}

TEST(HostKeys, AnAliasHasNoPorts) {
    EXPECT_EQ(verdict("alias ssh-ed25519 KEY\n", "alias"), KeyVerdict::known);
    EXPECT_EQ(verdict("alias ssh-ed25519 OTHER\nhost ssh-ed25519 KEY\n", "alias"),
              KeyVerdict::changed);
    EXPECT_EQ(verdict("host ssh-ed25519 KEY\n", "alias"), KeyVerdict::unknown);
}

}  // namespace
}  // namespace launch
