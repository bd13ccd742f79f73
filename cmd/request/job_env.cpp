// SPDX-License-Identifier: MIT
#include "cmd/request/job_env.hpp"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <string_view>

#include "cmd/options/table.hpp"
#include "cmd/options/usage_error.hpp"
#include "core/base/mistakes.hpp"

namespace launch {
namespace {

std::string_view name_of(std::string_view entry) {
    return entry.substr(0, entry.find('='));
}

void set(std::vector<std::string>& env, std::string entry) {
    const auto same = [&](const auto& other) { return name_of(other) == name_of(entry); };
    std::erase_if(env, same);
    env.push_back(std::move(entry));
}

bool may_name_variable(std::string_view name) {
    const auto fits = [](char c) {
        return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
    };
    return std::all_of(name.begin(), name.end(), fits) &&
           std::isdigit(static_cast<unsigned char>(name.front())) == 0;
}

/// Checks a word after -x that is not set here: a possible name of a variable is only noted.
Status check_unset(const std::string& option, const std::string& name,
                   const std::vector<Host>& hosts, std::vector<std::string>& notes) {
    const bool is_host = std::any_of(hosts.begin(), hosts.end(),
                                     [&](const Host& host) { return host.name == name; });
    if (!is_host && may_name_variable(name)) {
        notes.push_back(option + " " + shown(name) + ": not set here, nothing is exported");
        return Ok{};
    }
    auto error = usage_error(option + " " + shown(name) +
                             (is_host ? ": this is a host, and " + option + " exports variables"
                                      : ": not a valid variable name"));
    error.hint = "to leave hosts out: --exclude " + shown(name);
    return error;
}

Status export_here(const std::string& option, const std::string& entry, const ExportNames& known,
                   std::vector<std::string>& variables, std::vector<std::string>& notes) {
    if (entry.find('=') != std::string::npos) {
        set(variables, entry);
        return Ok{};
    }
    const auto found = std::find_if(known.env.begin(), known.env.end(),
                                    [&](const auto& other) { return name_of(other) == entry; });
    if (found == known.env.end()) return check_unset(option, entry, known.hosts, notes);
    set(variables, *found);
    return Ok{};
}

/// Checks that at most one of several options is given for the job or for one program.
Status check_one_given(const auto& one, std::initializer_list<std::string_view> keys) {
    std::string other;
    for (const auto key : keys) {
        if (!one.origins.has(key)) continue;
        if (!other.empty())
            return usage_error(other + " and " + spelled(one, key) + " exclude one another");
        other = spelled(one, key);
    }
    return Ok{};
}

}  // namespace

Status check_inherit(const Settings& line) {
    Mistakes mistakes;
    mistakes.check(check_one_given(line, {"genvall", "genvnone", "genvlist"}));
    for (const auto& program : line.programs)
        mistakes.check(check_one_given(program, {"envall", "envnone", "envlist"}));
    return mistakes.take_status();
}

std::vector<std::string> inherited(const std::vector<std::string>& env, const Inherit& asked) {
    if (asked.what == Inherit::What::unset || asked.what == Inherit::What::all) return env;
    if (asked.what == Inherit::What::none) return {};
    std::vector<std::string> kept;
    for (const auto& entry : env) {
        const auto& names = asked.names;
        if (std::find(names.begin(), names.end(), name_of(entry)) != names.end())
            kept.push_back(entry);
    }
    return kept;
}

Result<std::vector<std::string>> set_variables(const Settings& line, const ProgramSettings& program,
                                               const ExportNames& known,
                                               std::vector<std::string>& notes) {
    std::vector<std::string> variables;
    for (const auto& entry : line.mca)
        set(variables, std::string(mca_variable_prefix) + entry);
    for (const auto& entry : line.env)
        set(variables, entry);
    Mistakes mistakes;
    for (size_t i = 0; i < program.exported.size(); ++i)
        mistakes.check(export_here(spelled(program, "export", i), program.exported[i], known,
                                   variables, notes));
    for (const auto& entry : program.env)
        set(variables, entry);
    if (!mistakes.empty()) return mistakes.take();
    return variables;
}

}  // namespace launch
