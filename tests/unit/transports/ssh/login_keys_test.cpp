// SPDX-License-Identifier: MIT
#include "transports/ssh/login_keys.hpp"

#include <gtest/gtest.h>

#include "tests/unit/golden.hpp"

namespace launch {
namespace {

using Names = std::vector<std::string>;
using State = KeyFile::State;

/// Keys are named by their public halves here.
KeyFile file(const std::string& key, State state) {
    return {"/home/me/.ssh/" + key, state, key};
}

struct Row {
    const char* name;
    std::vector<KeyFile> files;
    std::optional<Names> of_agent;
    bool identities_only;
    Names from_agent, from_files, locked;
};

TEST(LoginKeys, ComeInOpensshsOrder) {
    const Row rows[] = {
        {"nothing", {}, std::nullopt, false, {}, {}, {}},
        {"no agent",
         {file("a", State::open), file("b", State::locked), file("c", State::none)},
         std::nullopt,
         false,
         {},
         {"a"},
         {"b"}},
        {"the agent's before files", {file("a", State::open)}, Names{"x"}, false, {"x"}, {"a"}, {}},
        {"those that are named first, in the agent's order",
         {file("a", State::open), file("b", State::locked), file("c", State::half)},
         Names{"x", "c", "b", "y"},
         false,
         {"c", "b", "x", "y"},
         {"a"},
         {}},
        {"a file's key that the agent has is not tried again",
         {file("a", State::open)},
         Names{"a"},
         false,
         {"a"},
         {},
         {}},
        {"IdentitiesOnly",
         {file("a", State::locked), file("b", State::open), file("c", State::locked)},
         Names{"x", "a"},
         true,
         {"a"},
         {"b"},
         {"c"}},
    };
    for (const auto& row : rows) {
        std::optional<std::vector<AgentKey>> agent;
        if (row.of_agent) agent.emplace();
        for (const auto& name : row.of_agent.value_or(Names()))
            agent->push_back({name, name});
        const LoginKeys keys = order_login_keys(row.files, agent, row.identities_only);
        Names from_agent;
        for (const auto& key : keys.of_agent)
            from_agent.push_back(key.public_key);
        const auto paths = [](Names names) {
            for (auto& name : names)
                name = "/home/me/.ssh/" + name;
            return names;
        };
        EXPECT_EQ(from_agent, row.from_agent) << row.name;
        EXPECT_EQ(keys.files, paths(row.from_files)) << row.name;
        EXPECT_EQ(keys.locked, paths(row.locked)) << row.name;
        EXPECT_EQ(keys.agent_answers, row.of_agent.has_value()) << row.name;
    }
}

TEST(LoginKeys, HaveNamesThatFitALine) {
    EXPECT_EQ(key_name("/home/me/.ssh/a", "/home/me"), "~/.ssh/a");
    EXPECT_EQ(key_name("/home/me2/.ssh/a", "/home/me"), "/home/me2/.ssh/a");
    EXPECT_EQ(key_name("/a", "/"), "/a");
    EXPECT_EQ(key_name(AgentKey{"", "me@here"}), "the agent's me@here");
    EXPECT_EQ(key_name(AgentKey{"", "a\nb\x1b[0m"}), "the agent's ab[0m");
    EXPECT_LT(key_name(AgentKey{"", std::string(1000, 'x')}).size(), 100U);
}

std::string told(const start_error::RefusedLogin& login) {
    return describe(start_error::denied(login));
}

TEST(RefusedLogin, NamesNoMoreKeysThanAReaderTakesIn) {
    start_error::RefusedLogin login{"me", {"a"}, {}, true, {}};
    EXPECT_NE(told(login).find("tried a ("), std::string::npos) << told(login);
    login.tried = {"a", "b", "c", "d"};
    EXPECT_NE(told(login).find("tried a, b, c and d ("), std::string::npos) << told(login);
    login.tried = {"a", "b", "c", "d", "e", "f"};
    EXPECT_NE(told(login).find("tried a, b, c and 3 more ("), std::string::npos) << told(login);
    login.locked = {"x", "y"};
    expect_told({"x and y are encrypted", "(ssh-add x"}, told(login));
}

TEST(RefusedLogin, TellsHowToProtectAKey) {
    const KeyFile exposed{"/home/me/.ssh/id_rsa", State::exposed, "key of a"};
    const LoginKeys keys = order_login_keys({exposed}, std::nullopt, false);
    EXPECT_TRUE(keys.files.empty());
    HostConfig config;
    config.user = "me";
    auto login = refused_login(keys, config, "/home/me");
    expect_told({"authenticate", "chmod 600 ~/.ssh/id_rsa"}, told(login));
    login.tried = {"a"};
    login.exposed.emplace_back("b");
    expect_told({"tried a", "chmod 600 ~/.ssh/id_rsa b"}, told(login));
    // The agent's key is used, whoever may read the file.
    const std::vector<AgentKey> of_agent{{"key of a", "a"}};
    EXPECT_TRUE(order_login_keys({exposed}, of_agent, true).exposed.empty());
    EXPECT_EQ(order_login_keys({exposed}, of_agent, true).of_agent.size(), 1U);
}

}  // namespace
}  // namespace launch
