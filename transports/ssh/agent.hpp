// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/fd.hpp"

namespace launch {

/// A key that an ssh agent has.
struct AgentKey {
    std::string public_key;  ///< RFC 4253, 6.6
    std::string comment;     ///< anybody's words

    std::string_view type() const;
    bool operator==(const AgentKey&) const = default;
};

// The two messages of the agent's protocol (draft-miller-ssh-agent) that we speak ourselves.
std::string encode_agent_question();
bool is_agent_question(std::string_view message);
std::string encode_agent_keys(const std::vector<AgentKey>& keys);
/// None where the message is no such answer.
std::vector<AgentKey> decode_agent_keys(std::string_view message);

/// Waits until the agent takes or says something, `patience` at most; without one until the socket
/// is shut down. False and nothing: it did not, or what it said is too long.
using AgentPatience = std::optional<std::chrono::milliseconds>;
/// How long an agent may take to name its keys, before a login goes on without it.
constexpr std::chrono::milliseconds agent_patience{2000};
bool send_agent_message(int fd, std::string_view message, AgentPatience patience = {});
std::optional<std::string> receive_agent_message(int fd, AgentPatience patience = {});

/// Connects; never waits. Invalid where no agent listens there.
UniqueFd connect_agent(const std::string& path);

/// Asks for the keys. Nothing: no agent answers.
std::optional<std::vector<AgentKey>> ask_agent(int fd, AgentPatience patience = {});

}  // namespace launch
