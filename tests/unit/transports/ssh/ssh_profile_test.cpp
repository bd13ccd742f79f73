// SPDX-License-Identifier: MIT
#include "transports/ssh/ssh_profile.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/folder_test.hpp"

namespace launch {
namespace {

class SshProfileOfFile : public FolderTest {
  protected:
    SshProfileOfFile() { options_.ssh_config = folder_ + "/config"; }

    void write(const std::string& text) const { std::ofstream(options_.ssh_config) << text; }

    static Host host(const std::string& name) {
        Host host;
        host.name = name;
        return host;
    }

    TransportOptions options_;
};

TEST_F(SshProfileOfFile, SaysWhatTheUsersFileSaysOfEachHost) {
    write("Host a*\n Port 2222\n User someone\nHost *\n HostName %h.example\n");
    SshProfile profile(options_);
    EXPECT_EQ(profile.resolve(host("a1")).port, 2222);
    EXPECT_EQ(profile.resolve(host("a1")).user, "someone");
    EXPECT_EQ(profile.resolve(host("b1")).host_name, "b1.example");
    EXPECT_EQ(profile.resolve(host("b1")).user, current_ssh_user().name);
    EXPECT_EQ(profile.home(), current_ssh_user().home);
}

TEST_F(SshProfileOfFile, ReadsFilesOnceForAllTransports) {
    write("Port 2222\n");
    SshProfile profile(options_);
    EXPECT_EQ(profile.resolve(host("a")).port, 2222);
    write("Port 3333\n");
    EXPECT_EQ(profile.resolve(host("b")).port, 2222);
    EXPECT_EQ(SshProfile(options_).resolve(host("b")).port, 3333);
}

TEST_F(SshProfileOfFile, FallsBackToTheUsersOwnWhereThereIsNoSuchFile) {
    write("Port 2222\n");
    EXPECT_EQ(SshProfile(options_).options().ssh_config, options_.ssh_config);
    options_.ssh_config = folder_ + "/nosuch";
    EXPECT_EQ(SshProfile(options_).options().ssh_config, "");
    options_.ssh_config = "none";
    EXPECT_EQ(SshProfile(options_).options().ssh_config, "none");
    EXPECT_EQ(SshProfile(options_).resolve(host("a")).port, 22);
}

TEST_F(SshProfileOfFile, TellsWhatIsWrongWithAFile) {
    const std::string part = folder_ + "/part";
    std::ofstream(part) << "Port 2222\n";
    write("Host b\n Include " + part + "\n");
    ASSERT_EQ(chmod(part.c_str(), 0606), 0);
    for (const char* name : {"a", "b"}) {  // as ssh: also where it does not apply
        const auto config = SshProfile(options_).resolve(host(name));
        ASSERT_TRUE(config.fault) << name;
        EXPECT_EQ(describe(*config.fault), "read the ssh config: others may write to " + part +
                                               " (chmod go-w " + part + ")");
    }
    ASSERT_EQ(chmod(part.c_str(), 0600), 0);
    ASSERT_EQ(chmod(options_.ssh_config.c_str(), 0606), 0);  // asked for by name
    EXPECT_FALSE(SshProfile(options_).resolve(host("b")).fault);
    EXPECT_EQ(SshProfile(options_).resolve(host("b")).port, 2222);
}

/// A file that is there and cannot be read is not one that is not there.
TEST_F(SshProfileOfFile, FallsBackToNothingForAFileThatCannotBeRead) {
    ASSERT_EQ(symlink(options_.ssh_config.c_str(), options_.ssh_config.c_str()), 0);
    SshProfile profile(options_);
    EXPECT_EQ(profile.options().ssh_config, options_.ssh_config);
    const auto config = profile.resolve(host("a"));
    ASSERT_TRUE(config.fault);
    EXPECT_EQ(config.fault->cause, options_.ssh_config + ": Too many levels of symbolic links");
}

/// Either the user's configuration or the command line may trust hosts whose keys are new.
TEST_F(SshProfileOfFile, TrustsNewKeysWhereEitherSaysSo) {
    write(
        "Host strict\n StrictHostKeyChecking yes\nHost new\n StrictHostKeyChecking accept-new\n"
        "Host any\n StrictHostKeyChecking no\n");
    for (const bool asked : {false, true}) {
        options_.accept_unknown_keys = asked;
        SshProfile profile(options_);
        const auto accepts = [&](const std::string& name) {
            return profile.accepts_new_keys(profile.resolve(host(name)));
        };
        EXPECT_EQ(accepts("unnamed"), asked);
        EXPECT_EQ(accepts("strict"), asked);
        EXPECT_TRUE(accepts("new"));
        EXPECT_TRUE(accepts("any"));
    }
}

}  // namespace
}  // namespace launch
