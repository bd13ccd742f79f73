// SPDX-License-Identifier: MIT
#include "transports/ssh/openssh_proxy.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "tests/unit/golden.hpp"
#include "transports/ssh/openssh_errors.hpp"
#include "transports/start_error.hpp"

namespace launch {
namespace {

using std::chrono::milliseconds;

OpensshContext context_with(const std::string& jumps, const std::string& command = {},
                            bool undecided = false) {
    HostConfig config;
    config.proxy_jump = jumps;
    config.proxy_command = command;
    config.undecided = undecided;
    return {"node2",
            22,
            milliseconds(3000),
            {"root", {"~/.ssh/id_rsa"}, {}, false, {}},
            proxy_of(config)};
}

/// As OpenSSH 9.2 says it, run by launch; some older or newer clients where a row says so.
struct ProxyRow {
    const char* name;
    OpensshContext context;
    std::string text;
    Retry retry = Retry::no;
};

const OpensshContext one = context_with("node1");
const OpensshContext two = context_with("me@node0:2222,node1");
const OpensshContext command = context_with("", "nosuch %h %p");
const OpensshContext undecided = context_with("", "", true);

const std::string closed = "kex_exchange_identification: Connection closed by remote host\r\n";
const std::string closed_within = closed + "Connection closed by UNKNOWN port 65535\r\n" + closed;
const std::string not_forwarded = "stdio forwarding failed\r\n" + closed;
const std::string changed =
    "@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\r\n"
    "The fingerprint for the ED25519 key sent by the remote host is\n"
    "SHA256:g+1ByRiZ5.\r\n"
    "Offending ED25519 key in /root/kh:1\r\n";

std::vector<ProxyRow> failures_of_proxies() {
    return {
        {"unknown jump host", one,
         "ssh: Could not resolve hostname nojump: Name or service not known\r\n" + closed},
        {"refused by the jump host", one,
         "ssh: connect to host node1 port 2299: Connection refused\r\n" + closed, Retry::refused},
        {"no network to the jump host", one,
         "ssh: connect to host 192.0.2.1 port 22: Network is unreachable\r\n" + closed},
        {"no answer by the jump host", one,
         "ssh: connect to host node1 port 22: Connection timed out\r\n" + closed},
        {"login refused by the jump host", one,
         "nobody@node1: Permission denied (publickey).\r\n" + closed},
        {"unknown key of the jump host", one,
         "No ED25519 host key is known for [node1]:2200 and you have requested strict "
         "checking.\r\nHost key verification failed.\r\n" +
             closed},
        {"the same without its name", one, "Host key verification failed.\r\n" + closed},
        {"changed key of the jump host", one,
         changed +
             "Host key for node1 has changed and you have requested strict checking.\r\n"
             "Host key verification failed.\r\n" +
             closed},
        {"no common algorithm with the jump host", one,
         "Unable to negotiate with 10.82.1.1 port 22: no matching cipher found. Their offer: "
         "aes128-ctr\r\n" +
             closed},
        {"overloaded jump host", one,
         closed + "Connection closed by 10.82.1.1 port 22\r\n" + closed, Retry::dropped},
        {"jump host without forwarding", one,
         "channel 0: open failed: administratively prohibited: open failed\r\n" + not_forwarded},
        {"first of two jump hosts without forwarding", two,
         "channel 0: open failed: administratively prohibited: open failed\r\nstdio forwarding "
         "failed\r\n" +
             closed_within},
        {"second jump host unknown to the first", two,
         "channel 0: open failed: connect failed: Temporary failure in name resolution\r\nstdio "
         "forwarding failed\r\n" +
             closed_within},
        {"refused to the jump host", one,
         "channel 0: open failed: connect failed: Connection refused\r\n" + not_forwarded,
         Retry::refused},
        {"first of two jump hosts unknown", two,
         "ssh: Could not resolve hostname node0: Temporary failure in name resolution\r\n" +
             closed_within},
        {"no such ProxyCommand", command, "/bin/bash: line 1: exec: nosuch: not found\n" + closed,
         Retry::dropped},
        {"ProxyCommand that may not be executed", command,
         "/bin/bash: line 1: /etc/passwd: Permission denied\n"
         "/bin/bash: line 1: exec: /etc/passwd: cannot execute: Permission denied\n" +
             closed,
         Retry::dropped},
        {"ProxyCommand that says why it ends", command, "cannot reach the gateway\n" + closed,
         Retry::dropped},
        {"ProxyCommand that says why it ends to a newer client", command,
         "cannot reach the gateway\nkex_exchange_identification: write: Broken pipe\r\nbanner "
         "exchange: Connection to UNKNOWN port 65535: Broken pipe\r\n",
         Retry::dropped},
        {"ProxyCommand of ssh", command,
         "channel 0: open failed: administratively prohibited: open failed\r\n" + not_forwarded},
        {"a proxy that only the client knows", undecided,
         "ssh: Could not resolve hostname gate: Name or service not known\r\n" + closed},
        {"closed by either after a banner of the jump host", one,
         "Authorized use only.\r\n" + closed, Retry::dropped},
        {"closed by either", one, closed, Retry::dropped},
        {"silent ProxyCommand", command, "Connection timed out during banner exchange\r\n"},
    };
}

TEST(OpensshProxy, blames_the_jump_host_or_the_proxy_that_failed) {
    for (const auto& row : failures_of_proxies()) {
        const StartFailure failure = read_openssh_error(row.text, row.context);
        expect_golden(row.name, describe(failure.error));
        EXPECT_EQ(failure.retry, row.retry) << row.name;
    }
}

TEST(OpensshProxy, leaves_words_about_the_host_itself_alone) {
    const OpensshContext direct = context_with("");
    for (const char* text : {"root@node2: Permission denied (publickey).\r\n",
                             "Host key verification failed.\r\n", "jumphost loop via node2\r\n",
                             "No ED25519 host key is known for node2 and you have requested "
                             "strict checking.\r\nHost key verification failed.\r\n"}) {
        for (const auto& context : {one, two, command, undecided})
            EXPECT_EQ(read_openssh_error(text, context).error,
                      read_openssh_error(text, direct).error)
                << text;
    }
}

TEST(OpensshProxy, knows_the_jump_hosts_by_their_names) {
    HostConfig config;
    config.proxy_jump = "a,me@b,c:22,d@e@f:22,ssh://g@h:22/,[::1]:22,fe80::1";
    EXPECT_EQ(proxy_of(config).jumps,
              (std::vector<std::string>{"a", "b", "c", "f", "h", "::1", "fe80::1"}));
    EXPECT_EQ(proxy_of(HostConfig()).name, "");
}

}  // namespace
}  // namespace launch
