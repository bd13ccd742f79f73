// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace launch {

/// The simple commands of a shell's text, each as its words: quotes are taken off, variables stay
/// as they are, comments and what is hidden by here-documents or eval is not understood. Enough to
/// see which programs a script may start. Stops after a large number of words.
std::vector<std::vector<std::string>> shell_commands(std::string_view text);

/// `word` with its $NAME and ${NAME} replaced from the environment; empty where one is empty or is
/// more than a name.
std::string expand_variables(std::string_view word, const std::vector<std::string>& env);

/// "NAME=value", with a name a shell would take?
bool is_assignment(std::string_view word);

}  // namespace launch
