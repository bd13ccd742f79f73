// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace launch {

/// The environment of this process.
std::vector<std::string> own_environment();
/// The value of NAME in an environment of "NAME=VALUE"; empty where it has none.
std::string env_value(const std::vector<std::string>& env, const std::string& name);
/// Sets or replaces NAME.
void set_env(std::vector<std::string>& env, const std::string& name, const std::string& value);
/// Adds "NAME=VALUE" entries, except for names that have a value.
void add_unless_set(std::vector<std::string>& env, const std::vector<std::string>& entries);
/// The environment with these "NAME=VALUE" in the place of its own.
std::vector<std::string> with_variables(std::vector<std::string> env,
                                        const std::vector<std::string>& entries);

}  // namespace launch
