// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "transports/ssh/ssh_user.hpp"

namespace launch {

/// The value of `%x`; nothing: only ssh knows it.
using TokenMeaning = std::function<std::optional<std::string>(char token)>;

/// Replaces `~` or `~USER` at the beginning of a file's name. Nothing: there is no such user. Pure.
std::optional<std::string> expand_tilde(const std::string& name, const SshUser& user);

/// Replaces each `%x` and, as ssh_config(5) has it under ENVIRONMENT VARIABLES, each `${NAME}`.
/// Nothing: one of them stands for nothing. Pure.
std::optional<std::string> expand_text(std::string_view text, const SshUser& user,
                                       const TokenMeaning& meaning);

}  // namespace launch
