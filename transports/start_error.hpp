// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/hosts/host.hpp"

// The words for what can go wrong before the remote command runs. Both ssh transports use them,
// so that a failure reads the same whichever of them met it. Cause and hint name neither host nor
// address (except for a changed key, where the exact command matters more): messages of many
// hosts that failed alike fold into one.
namespace launch::start_error {

/// The stages, as `Error::operation`.
inline constexpr const char* read_config = "read the ssh config";
inline constexpr const char* resolve = "resolve";
inline constexpr const char* connect = "connect";
inline constexpr const char* key_exchange = "key exchange";
inline constexpr const char* verify = "verify the host key";
inline constexpr const char* authenticate = "authenticate";
inline constexpr const char* channel = "open a channel";
inline constexpr const char* execute = "execute";
/// The stage of a program that does all of them, and whose messages do not name one.
inline constexpr const char* start = "start";

Error make(const char* stage, std::string cause, std::string hint = {});

/// The error of a system call that failed here.
Error of_errno(const char* stage, int error);
/// Nothing: this process may open further files. Else what to say instead of what a library takes
/// for the reason when it cannot.
std::optional<Error> out_of_descriptors(const char* stage);

// These are for a file of the ssh config for which ssh gives up, too.
Error unreadable_config(const std::string& path, int error);
Error foreign_config(const std::string& path);
Error writable_config(const std::string& path);
/// One of the two; ssh does not say which.
Error badly_kept_config(const std::string& path);

/// The node that starts the host: hints depend on it.
enum class Starter : uint8_t {
    head,
    relay,             ///< by its own keys
    relay_with_agent,  ///< also by those of the agent at the head
};

Error no_such_name(Starter starter = Starter::head);
Error resolver_failed(std::string why, Starter starter = Starter::head);
Error refused(uint16_t port);
Error no_route();
/// `limit`: 0: that of somebody else, which is not known.
Error no_answer(const char* stage, std::chrono::milliseconds limit);
Error dropped(const char* stage);
Error unknown_key(uint16_t port);
/// `now` and `known` say where: a fingerprint, "FILE:LINE"; either may be empty.
Error changed_key(const std::string& name, uint16_t port, const std::string& now,
                  const std::string& known);
Error revoked_key();

/// A login that the server refused, and what was at hand for it. Keys by the names that a user has
/// for them.
struct RefusedLogin {
    std::string user;
    std::vector<std::string> tried;   ///< keys, in order
    std::vector<std::string> locked;  ///< encrypted key files whose key no agent has
    bool agent_answers = false;
    std::string offered;  ///< the methods the server would take, "publickey,password"; or nothing
    Starter starter = Starter::head;
    std::vector<std::string> exposed = {};  ///< key files that others may read: ssh uses none
};
Error denied(const RefusedLogin& login);
Error too_many_keys(const RefusedLogin& login);

Error given_up(const std::string& host = {});

}  // namespace launch::start_error
