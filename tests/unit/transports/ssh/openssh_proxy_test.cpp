// SPDX-License-Identifier: MIT
#include "transports/ssh/openssh_proxy.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

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
    const char* told;
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
         "ssh: Could not resolve hostname nojump: Name or service not known\r\n" + closed,
         "resolve: the jump host nojump: no such host name (check its spelling, /etc/hosts and "
         "DNS)"},
        {"refused by the jump host", one,
         "ssh: connect to host node1 port 2299: Connection refused\r\n" + closed,
         "connect: the jump host node1: connection to port 2299 refused (is sshd running there, "
         "on that port?)",
         Retry::refused},
        {"no network to the jump host", one,
         "ssh: connect to host 192.0.2.1 port 22: Network is unreachable\r\n" + closed,
         "connect: the jump host 192.0.2.1: no route to host (its network or the host itself is "
         "down)"},
        {"no answer by the jump host", one,
         "ssh: connect to host node1 port 22: Connection timed out\r\n" + closed,
         "connect: the jump host node1: no answer (is the host up? does a firewall drop the "
         "packets?)"},
        {"login refused by the jump host", one,
         "nobody@node1: Permission denied (publickey).\r\n" + closed,
         "authenticate: the jump host node1: permission denied for nobody; the server takes "
         "publickey (this must work without a question: ssh nobody@node1 true)"},
        {"unknown key of the jump host", one,
         "No ED25519 host key is known for [node1]:2200 and you have requested strict "
         "checking.\r\nHost key verification failed.\r\n" +
             closed,
         "verify the host key: the jump host node1: its key is not known (log in once by hand, "
         "if you trust the network now: ssh node1 true)"},
        {"the same without its name", one, "Host key verification failed.\r\n" + closed,
         "verify the host key: the jump host node1: its key is not known (log in once by hand, "
         "if you trust the network now: ssh node1 true)"},
        {"changed key of the jump host", one,
         changed +
             "Host key for node1 has changed and you have requested strict checking.\r\n"
             "Host key verification failed.\r\n" +
             closed,
         "verify the host key: the jump host node1: its key has CHANGED: another machine, or "
         "someone in between (if that is expected: ssh-keygen -R node1; now SHA256:g+1ByRiZ5, "
         "another in /root/kh:1)"},
        {"no common algorithm with the jump host", one,
         "Unable to negotiate with 10.82.1.1 port 22: no matching cipher found. Their offer: "
         "aes128-ctr\r\n" +
             closed,
         "key exchange: the jump host node1: no matching cipher found. Their offer: aes128-ctr"},
        {"overloaded jump host", one,
         closed + "Connection closed by 10.82.1.1 port 22\r\n" + closed,
         "key exchange: the jump host node1: the connection was closed (its sshd is overloaded, "
         "see MaxStartups there, or turns this machine away)",
         Retry::dropped},
        {"jump host without forwarding", one,
         "channel 0: open failed: administratively prohibited: open failed\r\n" + not_forwarded,
         "connect: the jump host node1 does not forward connections: administratively "
         "prohibited: open failed (AllowTcpForwarding and PermitOpen in its sshd_config)"},
        {"first of two jump hosts without forwarding", two,
         "channel 0: open failed: administratively prohibited: open failed\r\nstdio forwarding "
         "failed\r\n" +
             closed_within,
         "connect: the jump host node0 does not forward connections: administratively "
         "prohibited: open failed (AllowTcpForwarding and PermitOpen in its sshd_config)"},
        {"second jump host unknown to the first", two,
         "channel 0: open failed: connect failed: Temporary failure in name resolution\r\nstdio "
         "forwarding failed\r\n" +
             closed_within,
         "connect: the jump host node0 could not connect to the jump host node1: Temporary "
         "failure in name resolution (try there: ssh node1 true)"},
        {"refused to the jump host", one,
         "channel 0: open failed: connect failed: Connection refused\r\n" + not_forwarded,
         "connect: the jump host node1 could not connect: Connection refused (try there: ssh "
         "HOST true)",
         Retry::refused},
        {"first of two jump hosts unknown", two,
         "ssh: Could not resolve hostname node0: Temporary failure in name resolution\r\n" +
             closed_within,
         "resolve: the jump host node0: the name look-up failed: Temporary failure in name "
         "resolution (does the name server answer?)"},
        {"no such ProxyCommand", command, "/bin/bash: line 1: exec: nosuch: not found\n" + closed,
         "connect: the connection through its ProxyCommand ended: /bin/bash: line 1: exec: nosuch: "
         "not found (try: ssh HOST true)",
         Retry::dropped},
        {"ProxyCommand that may not be executed", command,
         "/bin/bash: line 1: /etc/passwd: Permission denied\n"
         "/bin/bash: line 1: exec: /etc/passwd: cannot execute: Permission denied\n" +
             closed,
         "connect: the connection through its ProxyCommand ended: /bin/bash: line 1: exec: "
         "/etc/passwd: cannot execute: Permission denied (try: ssh HOST true)",
         Retry::dropped},
        {"ProxyCommand that says why it ends", command, "cannot reach the gateway\n" + closed,
         "connect: the connection through its ProxyCommand ended: cannot reach the gateway (try: "
         "ssh HOST true)",
         Retry::dropped},
        {"ProxyCommand that says why it ends to a newer client", command,
         "cannot reach the gateway\nkex_exchange_identification: write: Broken pipe\r\nbanner "
         "exchange: Connection to UNKNOWN port 65535: Broken pipe\r\n",
         "connect: the connection through its ProxyCommand ended: cannot reach the gateway (try: "
         "ssh HOST true)",
         Retry::dropped},
        {"ProxyCommand of ssh", command,
         "channel 0: open failed: administratively prohibited: open failed\r\n" + not_forwarded,
         "connect: its ProxyCommand does not forward connections: administratively prohibited: "
         "open failed (AllowTcpForwarding and PermitOpen in its sshd_config)"},
        {"a proxy that only the client knows", undecided,
         "ssh: Could not resolve hostname gate: Name or service not known\r\n" + closed,
         "resolve: the jump host gate: no such host name (check its spelling, /etc/hosts and "
         "DNS)"},
        {"closed by either after a banner of the jump host", one,
         "Authorized use only.\r\n" + closed,
         "connect: the connection through the jump host node1 ended: Authorized use only. (try: "
         "ssh HOST true)",
         Retry::dropped},
        {"closed by either", one, closed,
         "key exchange: the connection was closed (its sshd is overloaded, see MaxStartups "
         "there, or turns this machine away; or the jump host node1 closed it, try: ssh HOST "
         "true)",
         Retry::dropped},
        {"silent ProxyCommand", command, "Connection timed out during banner exchange\r\n",
         "key exchange: no answer within 3 s (the host is overloaded, or its sshd hangs; or its "
         "ProxyCommand does, try: ssh HOST true)"},
    };
}

TEST(OpensshProxy, blames_the_jump_host_or_the_proxy_that_failed) {
    for (const auto& row : failures_of_proxies()) {
        const StartFailure failure = read_openssh_error(row.text, row.context);
        EXPECT_EQ(describe(failure.error), row.told) << row.name;
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
