// SPDX-License-Identifier: MIT
#include "core/head/spawn_env.hpp"

#include <algorithm>

#include "core/base/environment.hpp"
#include "core/wire/variable_key.hpp"

namespace launch {
namespace {

bool has_name(const std::string& entry, const std::string& name) {
    return entry.size() > name.size() && entry[name.size()] == '=' && entry.starts_with(name);
}

bool has(const std::vector<std::string>& env, const std::string& name) {
    return std::any_of(env.begin(), env.end(),
                       [&name](const auto& entry) { return has_name(entry, name); });
}

}  // namespace

/// The job's value, unless the program is to run without the variable.
std::optional<std::string> SpawnEnv::of_job(const std::string& name) const {
    const bool lacks = !unset_.empty() && std::find(unset_.back().begin(), unset_.back().end(),
                                                    name) != unset_.back().end();
    if (lacks || !has(job_, name)) return std::nullopt;
    return env_value(job_, name);
}

/// The last one counts.
std::string SpawnEnv::now(const Program& program, const std::string& name) const {
    const auto at = std::find_if(program.env.rbegin(), program.env.rend(),
                                 [&name](const auto& entry) { return has_name(entry, name); });
    return at != program.env.rend() ? at->substr(name.size() + 1) : of_job(name).value_or("");
}

bool SpawnEnv::take(Program& program, std::string_view key, const std::string& value) {
    const bool joins = key == variable_key::prepend || key == variable_key::append;
    const bool known =
        joins || key == variable_key::set || key == variable_key::add || key == variable_key::unset;
    if (!known) return false;
    const std::string entry = joins && !value.empty() ? value.substr(1) : value;
    const std::string name = entry.substr(0, entry.find('='));
    if (name.empty()) return true;
    if (key == variable_key::unset) {
        std::erase_if(program.env, [&name](const auto& each) { return has_name(each, name); });
        unset_.back().push_back(name);
        return true;
    }
    if (name.size() == entry.size()) return true;
    const std::string given = entry.substr(name.size() + 1);
    const std::string before = now(program, name);
    const bool is_there = has(program.env, name) || of_job(name);
    if (key == variable_key::add && is_there) return true;
    if (!joins || before.empty())
        program.env.push_back(entry);
    else if (key == variable_key::prepend)
        program.env.push_back(name + '=' + given + value.front() + before);
    else
        program.env.push_back(name + '=' + before + value.front() + given);
    return true;
}

std::vector<std::string> SpawnEnv::unset_by_all() const {
    if (unset_.empty()) return {};
    std::vector<std::string> names = unset_.front();
    for (const auto& other : unset_)
        std::erase_if(names, [&other](const auto& name) {
            return std::find(other.begin(), other.end(), name) == other.end();
        });
    return names;
}

}  // namespace launch
