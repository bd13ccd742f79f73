// SPDX-License-Identifier: MIT
#include "core/job/rank_env.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace launch {
namespace {

constexpr std::array host_names = std::to_array<std::string_view>({
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "MAIL",
    "HOSTNAME",
    "PWD",
    "OLDPWD",
    "SHLVL",
    "_",
    "SSH_CLIENT",
    "SSH_CONNECTION",
    "SSH_TTY",
    "SSH_AUTH_SOCK",
    "SSH_AGENT_PID",
    "XDG_RUNTIME_DIR",
    "XDG_SESSION_ID",
    "XDG_SESSION_TYPE",
    "XDG_SESSION_CLASS",
    "XDG_SEAT",
    "XDG_VTNR",
    "DBUS_SESSION_BUS_ADDRESS",
    "TMUX",
    "TMUX_PANE",
    "STY",
    "WINDOW",
    "WINDOWID",
});

template <class Variables>
bool is_one_of(const Variables& variables, std::string_view entry) {
    const auto name = entry.substr(0, entry.find('='));
    return std::find(variables.begin(), variables.end(), name) != variables.end();
}

}  // namespace

void add_identity(std::vector<std::string>& env, const RankIdentity& id) {
    env.push_back("LAUNCH_RANK=" + std::to_string(id.rank));
    env.push_back("LAUNCH_SIZE=" + std::to_string(id.size));
    env.push_back("LAUNCH_LOCAL_RANK=" + std::to_string(id.local_rank));
    env.push_back("LAUNCH_LOCAL_SIZE=" + std::to_string(id.local_size));
    env.push_back("LAUNCH_NODE=" + std::to_string(index(id.host_rank)));
    env.push_back("LAUNCH_NODES=" + std::to_string(id.nodes));
    env.push_back("LAUNCH_HOST=" + id.host);
    env.push_back("LAUNCH_FIRST_HOST=" + id.hosts.first);
    if (!id.hosts.list.empty()) env.push_back("LAUNCH_HOSTLIST=" + id.hosts.list);
    env.push_back("LAUNCH_JOB_ID=" + id.job_id);
}

std::vector<std::string> merge_host_env(const std::vector<std::string>& inherited,
                                        const std::vector<std::string>& own) {
    std::vector<std::string> env;
    for (const auto& entry : inherited) {
        if (!is_one_of(host_names, entry)) env.push_back(entry);
    }
    for (const auto& entry : own) {
        if (is_one_of(host_names, entry)) env.push_back(entry);
    }
    return env;
}

}  // namespace launch
