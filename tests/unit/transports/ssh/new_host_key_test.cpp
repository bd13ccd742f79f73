// SPDX-License-Identifier: MIT
#include "transports/ssh/new_host_key.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <set>
#include <thread>

#include "transports/ssh/known_hosts.hpp"

namespace launch {
namespace {

/// A file of its own for the test that runs.
HostConfig config_for(const std::string& host) {
    HostConfig config;
    config.host_name = host;
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    config.new_keys_file = testing::TempDir() + "new_keys_" + test->name();
    return config;
}

std::string text_of(const HostConfig& config) {
    std::ifstream file(config.new_keys_file);
    return {std::istreambuf_iterator<char>(file), {}};
}

void begin_with(const HostConfig& config, const std::string& text) {
    std::ofstream(config.new_keys_file, std::ios::trunc) << text;
}

std::string record(const HostConfig& config, const std::string& key) {
    return record_host_key(config, "/home/me", new_host_key(config, "ssh-ed25519", key));
}

TEST(NewHostKey, IsAddedOnce) {
    HostConfig config = config_for("n1");
    begin_with(config, "other ssh-rsa XXXX");
    EXPECT_EQ(record(config, "AAAA"), "");
    EXPECT_EQ(record(config, "AAAA"), "");
    config.port = 2222;
    EXPECT_EQ(record(config, "AAAA"), "");
    config.key_alias = "alias";
    EXPECT_EQ(record(config, "BBBB"), "");
    EXPECT_EQ(text_of(config),
              "other ssh-rsa XXXX\nn1 ssh-ed25519 AAAA\n[n1]:2222 ssh-ed25519 AAAA\n"
              "alias ssh-ed25519 BBBB\n");
}

TEST(NewHostKey, IsFoundAgainWhereNamesAreHidden) {
    HostConfig config = config_for("n-1");
    config.hash_names = true;
    begin_with(config, "");
    EXPECT_EQ(record(config, "AAAA"), "");
    const std::string text = text_of(config);
    EXPECT_EQ(text.find("n-1"), text.npos) << text;
    EXPECT_EQ(record(config, "AAAA"), "");
    EXPECT_EQ(text_of(config), text);
    const KnownHosts hosts("f", text);
    std::vector<KnownKey> found;
    hosts.find("n-1", found);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].key, "AAAA");
    EXPECT_NE(new_host_key(config, "t", "k").field, new_host_key(config, "t", "k").field);
}

TEST(NewHostKey, StaysWholeAmongOthersAtOnce) {
    constexpr int writers = 16;
    constexpr int keys = 20;
    begin_with(config_for(""), "");
    std::vector<std::thread> threads;
    for (int writer = 0; writer < writers; ++writer)
        threads.emplace_back([] {
            for (int key = 0; key < keys; ++key)
                EXPECT_EQ(record(config_for("n" + std::to_string(key)), std::string(400, 'A')), "");
        });
    for (auto& thread : threads)
        thread.join();
    const auto lines = read_new_keys(text_of(config_for("")));
    std::set<std::string> names;
    for (const auto& line : lines) {
        names.insert(line.field);
        EXPECT_EQ(line.type + line.key, "ssh-ed25519" + std::string(400, 'A'));
    }
    EXPECT_EQ(lines.size(), size_t{keys});
    EXPECT_EQ(names.size(), size_t{keys});
}

TEST(NewHostKey, ThatCannotBeRecordedIsTold) {
    HostConfig config = config_for("n1");
    config.new_keys_file = "/no/such/file";
    EXPECT_EQ(record(config, "AAAA"), "/no/such/file: No such file or directory");
    config.new_keys_file.clear();
    EXPECT_EQ(record(config, "AAAA"), "UserKnownHostsFile names no file");
    config.new_keys_file = "/dev/null";
    EXPECT_EQ(record(config, "AAAA"), "");
}

TEST(NewHostKey, IsReadFromWhatTheClientWrote) {
    const auto keys = read_new_keys("\nn1 ssh-rsa AAAA\n|1|x|y ssh-ed25519 BBBB\nbroken");
    ASSERT_EQ(keys.size(), 2U);
    EXPECT_EQ(keys[0].field, "n1");
    EXPECT_EQ(keys[1].key, "BBBB");
}

}  // namespace
}  // namespace launch
