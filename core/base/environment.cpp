// SPDX-License-Identifier: MIT
#include "core/base/environment.hpp"

#include <algorithm>
#include <unistd.h>

namespace launch {

std::vector<std::string> own_environment() {
    std::vector<std::string> env;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
        if (**entry != '=') env.emplace_back(*entry);  // a late variable that is not set
    return env;
}

std::string env_value(const std::vector<std::string>& env, const std::string& name) {
    for (const auto& entry : env) {
        if (entry.size() > name.size() && entry[name.size()] == '=' &&
            entry.compare(0, name.size(), name) == 0)
            return entry.substr(name.size() + 1);
    }
    return {};
}

void set_env(std::vector<std::string>& env, const std::string& name, const std::string& value) {
    const std::string prefix = name + "=";
    std::erase_if(env, [&](const std::string& entry) { return entry.starts_with(prefix); });
    env.push_back(prefix + value);
}

void add_unless_set(std::vector<std::string>& env, const std::vector<std::string>& entries) {
    for (const auto& added : entries) {
        const auto name = added.substr(0, added.find('=') + 1);
        const bool set = std::any_of(env.begin(), env.end(),
                                     [&](const auto& entry) { return entry.starts_with(name); });
        if (!set) env.push_back(added);
    }
}

std::vector<std::string> with_variables(std::vector<std::string> env,
                                        const std::vector<std::string>& entries) {
    for (const auto& entry : entries) {
        const auto equals = entry.find('=');
        set_env(env, entry.substr(0, equals), entry.substr(equals + 1));
    }
    return env;
}

}  // namespace launch
