// SPDX-License-Identifier: MIT
#include <fstream>
#include <gtest/gtest.h>

#include "transports/ssh/ssh_transport.hpp"

namespace launch {
namespace {

std::string explained(const std::string& name, const std::string& config) {
    TransportOptions options;
    options.ssh_config = testing::TempDir() + "ssh_config";
    std::ofstream(options.ssh_config) << config;
    asio::io_context io;
    Reaper reaper(io.get_executor());
    const auto transport = make_ssh_transport(io.get_executor(), options, reaper);
    StartRequest request;
    request.host.name = name;
    request.argv = {"launch", "--relay"};
    request.connect_timeout = std::chrono::seconds(7);
    return transport->explain(request);
}

TEST(SshTransport, ExplainsWhatItDoesItself) {
    const char* config = "Host a\n User joe\n HostName a.example\n Port 2200\n";
    EXPECT_EQ(explained("a", config),
              "in process, by libssh: joe@a.example port 2200: exec launch --relay");
}

TEST(SshTransport, ExplainsWhatItLeavesToOpenssh) {
    const auto line = explained("b", "Host b\n ProxyJump a\n");
    EXPECT_TRUE(line.starts_with("ssh -x -T ")) << line;
    EXPECT_NE(line.find(" -oConnectTimeout=7 "), line.npos) << line;
    EXPECT_TRUE(line.ends_with(" -- b 'exec launch --relay'  # ProxyJump in the ssh config"))
        << line;
}

}  // namespace
}  // namespace launch
