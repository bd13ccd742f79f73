// SPDX-License-Identifier: MIT
#include "transports/ssh/agent.hpp"

#include <gtest/gtest.h>
#include <thread>

#include "transports/ssh/agent_filter.hpp"
#include "transports/ssh/wire_string.hpp"

namespace launch {
namespace {

using std::chrono::milliseconds;

AgentKey key(const std::string& type, const std::string& comment) {
    AgentKey key;
    put_wire_string(key.public_key, type);
    put_wire_string(key.public_key, comment);
    key.comment = comment;
    return key;
}

TEST(Agent, ItsAnswerIsReadAsItIsWritten) {
    const std::vector<AgentKey> keys{key("ssh-ed25519", "a"), key("ssh-rsa", "")};
    EXPECT_EQ(decode_agent_keys(encode_agent_keys(keys)), keys);
    EXPECT_EQ(keys[1].type(), "ssh-rsa");
    EXPECT_EQ(AgentKey{}.type(), "");
}

TEST(Agent, AnAnswerThatIsNoneHasNoKeys) {
    const std::string answer = encode_agent_keys({key("ssh-ed25519", "a"), key("ssh-rsa", "b")});
    for (size_t size = 0; size < answer.size(); ++size)
        EXPECT_LT(decode_agent_keys(answer.substr(0, size)).size(), 2U) << size;
    EXPECT_TRUE(decode_agent_keys("\x05").empty());
    EXPECT_TRUE(decode_agent_keys(std::string("\x0c\xff\xff\xff\xff", 5)).empty());
}

TEST(Agent, OneThatSaysNothingIsWaitedForNoLongerThanAsked) {
    const FdPair ends = make_socket_pair();
    EXPECT_FALSE(ask_agent(ends.first.get(), milliseconds(20)));
    EXPECT_FALSE(connect_agent("/no/such/socket"));
    EXPECT_FALSE(connect_agent(std::string(200, 'x')));
}

TEST(Agent, AnAnswerWithoutEndIsNotRead) {
    const FdPair ends = make_socket_pair();
    std::string head;
    put_wire_number(head, 0x7fffffff);
    ASSERT_TRUE(send_agent_message(ends.second.get(), ""));
    EXPECT_FALSE(receive_agent_message(ends.first.get(), milliseconds(20)));
    ASSERT_EQ(::write(ends.second.get(), head.data(), head.size()), 4);
    EXPECT_FALSE(receive_agent_message(ends.first.get(), milliseconds(20)));
}

TEST(AgentFilter, ListsOneKeyAndPassesTheRestOn) {
    FdPair agent = make_socket_pair();
    AgentFilter filter(agent.first.get());
    const UniqueFd end = filter.take_end();
    EXPECT_EQ(ask_agent(end.get()), std::vector<AgentKey>());
    filter.show(key("ssh-rsa", "b"));
    EXPECT_EQ(ask_agent(end.get()), std::vector<AgentKey>{key("ssh-rsa", "b")});
    ASSERT_TRUE(send_agent_message(end.get(), "\x0dsign this"));
    EXPECT_EQ(receive_agent_message(agent.second.get()), "\x0dsign this");
    ASSERT_TRUE(send_agent_message(agent.second.get(), "signed"));
    EXPECT_EQ(receive_agent_message(end.get()), "signed");
    // The agent goes: who waits for it hears of it.
    ASSERT_TRUE(send_agent_message(end.get(), "\x0dmore"));
    agent.second.reset();
    EXPECT_FALSE(receive_agent_message(end.get()));
}

}  // namespace
}  // namespace launch
