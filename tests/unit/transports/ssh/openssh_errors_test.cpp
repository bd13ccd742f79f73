// SPDX-License-Identifier: MIT
#include "transports/ssh/openssh_errors.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "transports/start_error.hpp"

namespace launch {
namespace {

using std::chrono::milliseconds;
namespace words = start_error;

words::RefusedLogin login(const std::string& user, const std::string& offered = {}) {
    return {user, {"~/.ssh/id_rsa"}, {}, false, offered};
}

const OpensshContext context{"node1", 2222, milliseconds(10'000), login("config")};

struct Row {
    const char* name;
    const char* text;  ///< as OpenSSH 9.2 writes it, and some older ones
    Error error;
    Retry retry = Retry::no;
};

std::vector<Row> rows() {
    return {
        {"no such name", "ssh: Could not resolve hostname n1: Name or service not known\r\n",
         words::no_such_name()},
        {"no address",
         "ssh: Could not resolve hostname n1: No address associated with hostname\r\n",
         words::no_such_name()},
        {"name server down",
         "ssh: Could not resolve hostname n1: Temporary failure in name resolution\r\n",
         words::resolver_failed("Temporary failure in name resolution")},
        {"refused", "ssh: connect to host n1 port 2222: Connection refused\r\n",
         words::refused(2222), Retry::refused},
        {"timed out", "ssh: connect to host n1 port 2222: Connection timed out\r\n",
         words::no_answer(words::connect, milliseconds(10'000))},
        {"no route", "ssh: connect to host n1 port 22: No route to host\r\n", words::no_route()},
        {"no network", "ssh: connect to host n1 port 22: Network is unreachable\r\n",
         words::no_route()},
        {"banner", "Connection timed out during banner exchange\r\n",
         words::no_answer(words::key_exchange, milliseconds(10'000))},
        {"unknown key, strict",
         "No ED25519 host key is known for n1 and you have requested strict checking.\r\n"
         "Host key verification failed.\r\n",
         words::unknown_key(2222)},
        {"unknown key, asked in batch mode", "Host key verification failed.\r\n",
         words::unknown_key(2222)},
        {"changed key",
         "@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@\r\n"
         "@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\r\n"
         "@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@\r\n"
         "The fingerprint for the ED25519 key sent by the remote host is\n"
         "SHA256:g+1ByRiZ5.\r\n"
         "Please contact your system administrator.\r\n"
         "Offending ED25519 key in /root/.ssh/known_hosts:5\r\n"
         "  remove with:\r\n"
         "Host key for n1 has changed and you have requested strict checking.\r\n"
         "Host key verification failed.\r\n",
         words::changed_key("node1", 2222, "SHA256:g+1ByRiZ5", "/root/.ssh/known_hosts:5")},
        {"revoked key", "@       WARNING: REVOKED HOST KEY DETECTED!               @\r\n",
         words::revoked_key()},
        {"denied", "me@node1: Permission denied (publickey,password).\r\n",
         words::denied(login("me", "publickey,password"))},
        {"denied with the host's other name", "me@n1.example: Permission denied (publickey).\r\n",
         words::denied(login("me@n1.example", "publickey"))},
        {"denied by an older client", "Permission denied (publickey).\r\n",
         words::denied(login("config", "publickey"))},
        {"too many keys",
         "Received disconnect from 10.0.0.1 port 22:2: Too many authentication failures\r\n"
         "Disconnected from 10.0.0.1 port 22\r\n",
         words::too_many_keys(login("config"))},
        {"MaxStartups",
         "kex_exchange_identification: Connection closed by remote host\r\n"
         "Connection closed by 10.0.0.1 port 22\r\n",
         words::dropped(words::key_exchange), Retry::dropped},
        {"reset",
         "kex_exchange_identification: read: Connection reset by peer\r\n"
         "Connection reset by 10.0.0.1 port 22\r\n",
         words::dropped(words::key_exchange), Retry::dropped},
        {"MaxStartups of an older client",
         "ssh_exchange_identification: Connection closed by remote host\r\n",
         words::dropped(words::key_exchange), Retry::dropped},
        {"closed later", "Connection closed by 10.0.0.1 port 22\r\n",
         words::dropped(words::key_exchange), Retry::dropped},
        {"no common algorithm",
         "Unable to negotiate with 10.0.0.1 port 22: no matching host key type found. Their "
         "offer: ssh-rsa\r\n",
         words::make(words::key_exchange, "no matching host key type found. Their offer: ssh-rsa")},
        {"bad option",
         "/home/me/.ssh/config: line 3: Bad configuration option: foo\r\n"
         "/home/me/.ssh/config: terminating, 1 bad configuration options\r\n",
         words::make("read the ssh config",
                     "/home/me/.ssh/config: line 3: Bad configuration option: foo")},
        {"a config that others may write", "Bad owner or permissions on /home/me/.ssh/config\r\n",
         words::badly_kept_config("/home/me/.ssh/config")},
        {"bad value of an option",
         "/home/me/.ssh/config line 3: Bad port 'seventy'.\r\n"
         "/home/me/.ssh/config: terminating, 1 bad configuration options\r\n",
         words::make("read the ssh config", "/home/me/.ssh/config line 3: Bad port 'seventy'.")},
        {"bad criterion of Match",
         "Unsupported Match attribute foo\r\n"
         "/home/me/.ssh/config line 1: Bad Match condition\r\n"
         "/home/me/.ssh/config: terminating, 1 bad configuration options\r\n",
         words::make("read the ssh config", "/home/me/.ssh/config line 1: Bad Match condition")},
        {"another port than that of the config",
         "ssh: connect to host n1 port 2299: Connection refused\r\n", words::refused(2299),
         Retry::refused},
        {"an address that is not here",
         "bind 10.9.9.9: Cannot assign requested address\r\n"
         "ssh: connect to host n1 port 22: failure\r\n",
         words::make(words::connect, "bind 10.9.9.9: Cannot assign requested address")},
        {"no ssh server",
         "kex_exchange_identification: banner line contains invalid characters\r\n",
         words::make(words::key_exchange,
                     "kex_exchange_identification: banner line contains invalid characters",
                     "is an ssh server listening there?")},
        {"an old server", "Protocol major versions differ: 2 vs. 1\r\n",
         words::make("start", "Protocol major versions differ: 2 vs. 1")},
        {"broken off at the exchange of keys",
         "ssh_dispatch_run_fatal: Connection to 10.0.0.1 port 22: Broken pipe\r\n",
         words::dropped(words::key_exchange), Retry::dropped},
        {"a file that may not be read, in the words of another program",
         "/bin/sh: 1: /etc/profile.d/x: Permission denied\r\n",
         words::make("start", "/bin/sh: 1: /etc/profile.d/x: Permission denied")},
        {"a pipe that broke, in the words of another program", "cat: write error: Broken pipe\n",
         words::make("start", "cat: write error: Broken pipe")},
        {"a connection that another program has lost",
         "nfs: Connection timed out; Connection closed by server\n",
         words::make("start", "nfs: Connection timed out; Connection closed by server")},
        {"a name that did not resolve, over what was there before",
         "50%\rssh: Could not resolve hostname n1: Temporary failure in name resolution\r\n",
         words::resolver_failed("Temporary failure in name resolution")},
        {"no more than half of the words", "\rCould not resolve hostname",
         words::resolver_failed("Could not resolve hostname")},
        {"no algorithm, nor why", "\rUnable to negotiate",
         words::make(words::key_exchange, "Unable to negotiate")},
        {"no connection, nor why", "ssh: connect to host n1 port 22: \n",
         words::make("start", "ssh: connect to host n1 port 22: ")},
        {"methods that were cut off", "me@node1: Permission denied (publickey\r\nand so on)",
         words::denied(login("me", "publickey"))},
        {"something new", "first\nsomething new\n", words::make("start", "something new")},
        {"nothing", "",
         words::make("start", "ssh ended with exit code 255 without a message",
                     "does the login shell there exit with 255? try: ssh HOST true")},
    };
}

TEST(OpensshErrors, SpeakInTheWordsOfTheSshTransport) {
    for (const auto& row : rows()) {
        const StartFailure failure = read_openssh_error(row.text, context);
        EXPECT_EQ(failure.error, row.error)
            << row.name << ": " << describe(failure.error) << " and not " << describe(row.error);
        EXPECT_EQ(failure.retry, row.retry) << row.name;
        EXPECT_EQ(failure.error.kind, ErrorKind::unreachable) << row.name;
    }
}

TEST(OpensshErrors, NameNoHost) {
    for (const auto& row : rows()) {
        if (std::string_view(row.name) == "changed key") continue;  // its hint is a command
        const Error error = read_openssh_error(row.text, context).error;
        EXPECT_EQ(describe(error).find("node1"), std::string::npos) << row.name;
    }
}

}  // namespace
}  // namespace launch
