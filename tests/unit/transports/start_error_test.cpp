// SPDX-License-Identifier: MIT
#include "transports/start_error.hpp"

#include <gtest/gtest.h>

#include "tests/unit/golden.hpp"

namespace launch {
namespace {

/// What a user is to type names the host as known_hosts does, with any port of its own.
TEST(StartError, a_command_that_it_advises_names_host_and_port) {
    const struct {
        Error error;
        const char* command;
    } cases[] = {
        {start_error::changed_key("n1", 22, {}, {}), "ssh-keygen -R n1"},
        {start_error::changed_key("n1", 0, {}, {}), "ssh-keygen -R n1"},
        {start_error::changed_key("n1", 2222, {}, {}), "ssh-keygen -R '[n1]:2222'"},
        {start_error::unknown_key(22), "ssh-keyscan HOST"},
        {start_error::unknown_key(2222), "ssh-keyscan -p 2222 HOST"},
    };
    for (const auto& [error, command] : cases)
        EXPECT_NE(error.hint.find(command), std::string::npos) << error.hint;
}

TEST(StartError, what_a_relay_lacks_is_no_fault_of_the_host) {
    using Starter = start_error::Starter;
    const auto hint_of = [](Starter starter) {
        return start_error::denied({"me", {}, {"~/.ssh/id_rsa"}, false, {}, starter}).hint;
    };
    expect_told({"ssh-agent", "ssh-add ~/.ssh/id_rsa"}, hint_of(Starter::head));
    expect_told({"--forward-agent", "--topology flat"}, hint_of(Starter::relay));
    expect_told({"ssh-add", "--topology flat"}, hint_of(Starter::relay_with_agent));
    for (const Error& error : {start_error::no_such_name(Starter::relay),
                               start_error::resolver_failed("why", Starter::relay_with_agent)})
        expect_told({"ssh config", "--topology flat"}, error.hint);
    expect_told({"/etc/hosts"}, start_error::no_such_name().hint);
}

TEST(StartError, a_changed_key_is_shown_with_where_the_known_one_is) {
    const Error error = start_error::changed_key("n1", 22, "SHA256:new", "known_hosts:7");
    expect_told({"SHA256:new", "known_hosts:7"}, error.hint);
}

TEST(StartError, a_refused_connection_names_the_port) {
    EXPECT_NE(start_error::refused(2222).cause.find("2222"), std::string::npos);
}

}  // namespace
}  // namespace launch
