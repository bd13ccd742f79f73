#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "core/base/error.hpp"
#include "core/hosts/host.hpp"

// The words for what can go wrong before the remote command runs. Both ssh transports use them,
// so that a failure reads the same whichever of them met it. Cause and hint name neither host nor
// address (except for a changed key, where the exact command matters more): messages of many
// hosts that failed alike fold into one.
namespace launch::start_error {

/// The stages, as `Error::operation`.
inline constexpr const char* resolve = "resolve";
inline constexpr const char* connect = "connect";
inline constexpr const char* key_exchange = "key exchange";
inline constexpr const char* verify = "verify the host key";
inline constexpr const char* authenticate = "authenticate";
inline constexpr const char* channel = "open a channel";
inline constexpr const char* execute = "execute";

Error make(const char* stage, std::string cause, std::string hint = {});

Error no_such_name();
Error resolver_failed(std::string why);
Error refused(uint16_t port);
Error no_route();
Error no_answer(const char* stage, std::chrono::milliseconds limit);
Error dropped(const char* stage);
Error unknown_key(uint16_t port);
/// `now` and `known` say where: a fingerprint, "FILE:LINE"; either may be empty.
Error changed_key(const std::string& name, uint16_t port, const std::string& now,
                  const std::string& known);
Error revoked_key();
/// `offered`: the methods the server would take, "publickey,password"; may be empty.
Error denied(std::string_view offered);
Error too_many_keys();
Error given_up(const std::string& host = {});

}  // namespace launch::start_error
