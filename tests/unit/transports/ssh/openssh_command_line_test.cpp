// SPDX-License-Identifier: MIT
#include <algorithm>
#include <gtest/gtest.h>

#include "transports/remote_command.hpp"
#include "transports/ssh/openssh_transport.hpp"

namespace launch {
namespace {

std::string line(const TransportOptions& options, const HostConfig& config, const Host& host,
                 const std::string& new_keys = {}) {
    StartRequest request;
    request.host = host;
    request.argv = {"launch", "--relay"};
    request.connect_timeout = std::chrono::milliseconds(1500);
    return shell_line(openssh_command_line(options, config, request, new_keys));
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

Host host_named(const std::string& name) {
    Host host;
    host.name = name;
    return host;
}

TEST(OpensshCommandLine, NeverAsksAndNeverWaits) {
    const std::string text = line({}, {}, host_named("n1"));
    EXPECT_TRUE(text.starts_with("ssh -x -T -a ")) << text;
    EXPECT_TRUE(text.ends_with(" -- n1 'exec launch --relay'")) << text;
    for (const char* part : {"-oBatchMode=yes", "-oConnectTimeout=2", "-oStrictHostKeyChecking=yes",
                             "-oControlMaster=no", "-oClearAllForwardings=yes"})
        EXPECT_TRUE(has(text, part)) << part;
}

TEST(OpensshCommandLine, PutsInWhatTheHostSays) {
    Host host = host_named("fd00::1");
    host.user = "bob";
    host.port = 2222;
    EXPECT_TRUE(has(line({}, {}, host), " -p 2222 -l bob -- fd00::1 "));
}

TEST(OpensshCommandLine, LeavesTheUsersChoicesAlone) {
    HostConfig config;
    config.kex = "x";
    config.ciphers = "y";
    config.trust = HostConfig::Trust::any;
    const std::string text = line({}, config, host_named("n1"));
    EXPECT_FALSE(has(text, "KexAlgorithms"));
    EXPECT_FALSE(has(text, "Ciphers"));
    EXPECT_FALSE(has(text, "StrictHostKeyChecking"));
}

TEST(OpensshCommandLine, IsNotStrongerThanWhatOnlyTheClientCanDecide) {
    HostConfig config;
    config.undecided = true;
    const std::string text = line({}, config, host_named("n1"));
    EXPECT_FALSE(has(text, "KexAlgorithms"));
    EXPECT_FALSE(has(text, "Ciphers"));
    EXPECT_FALSE(has(text, "StrictHostKeyChecking"));
    EXPECT_TRUE(has(text, "-oBatchMode=yes"));
    TransportOptions options;
    options.accept_unknown_keys = true;
    EXPECT_TRUE(has(line(options, config, host_named("n1")), "StrictHostKeyChecking=accept-new"));
}

TEST(OpensshCommandLine, AcceptsUnknownKeysAndRecordsThemElsewhere) {
    TransportOptions options;
    options.accept_unknown_keys = true;
    HostConfig config;
    config.known_hosts_files = {"/a", "/b c"};
    std::string text = line(options, config, host_named("n1"), "/new");
    EXPECT_TRUE(has(text, "StrictHostKeyChecking=accept-new"));
    EXPECT_TRUE(has(text, "UserKnownHostsFile=/new \"/a\" \"/b c\"")) << text;
    text = line(options, config, host_named("n1"));
    EXPECT_TRUE(has(text, "StrictHostKeyChecking=accept-new"));
    EXPECT_FALSE(has(text, "UserKnownHostsFile")) << text;
}

TEST(OpensshCommandLine, ForwardsTheAgentOnlyOnRequest) {
    TransportOptions options;
    options.forward_agent = true;
    options.ssh_config = "/my/config";
    const std::string text = line(options, {}, host_named("n1"));
    EXPECT_TRUE(text.starts_with("ssh -x -T -A -F /my/config ")) << text;
}

}  // namespace
}  // namespace launch
