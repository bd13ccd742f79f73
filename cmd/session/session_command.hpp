#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace launch {

/// What comes after `launch session`.
std::span<const std::string_view> session_verbs();

/// The subcommands about sessions, of the words after the name. They return the exit code.
int start_session_command(const std::vector<std::string>& words);
int start_ps(const std::vector<std::string>& words);
int start_signal(const std::vector<std::string>& words);

}  // namespace launch
