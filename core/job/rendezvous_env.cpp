// SPDX-License-Identifier: MIT
#include "core/job/rendezvous_env.hpp"

#include "core/base/environment.hpp"

namespace launch {

void add_rendezvous(std::vector<std::string>& env, RendezvousChoice choice, const RankIdentity& id,
                    uint16_t port) {
    if (choice == RendezvousChoice::none) return;
    const auto set = [&](const char* name, const std::string& value) { set_env(env, name, value); };
    const std::string node = std::to_string(index(id.host_rank));
    const std::string rank = std::to_string(id.rank);
    const std::string size = std::to_string(id.size);
    set("MASTER_ADDR", id.hosts.first);
    set("MASTER_PORT", std::to_string(port));
    set("RANK", rank);
    set("WORLD_SIZE", size);
    set("LOCAL_RANK", std::to_string(id.local_rank));
    set("LOCAL_WORLD_SIZE", std::to_string(id.local_size));
    set("GROUP_RANK", node);
    set("NODE_RANK", node);
    if (choice != RendezvousChoice::torch) return;
    set("GROUP_WORLD_SIZE", std::to_string(id.nodes));
    set("ROLE_RANK", rank);
    set("ROLE_WORLD_SIZE", size);
    set("ROLE_NAME", "default");
    set("TORCHELASTIC_RUN_ID", id.job_id);
    set("TORCHELASTIC_RESTART_COUNT", "0");
    set("TORCHELASTIC_MAX_RESTARTS", "0");
}

void add_interface(std::vector<std::string>& env, const std::string& interface) {
    const auto add = [&](const char* name, const std::string& value) {
        if (env_value(env, name).empty()) set_env(env, name, value);
    };
    add("NCCL_SOCKET_IFNAME", "=" + interface);
    add("GLOO_SOCKET_IFNAME", interface);
    add("TP_SOCKET_IFNAME", interface);
}

}  // namespace launch
